import { foreignPasswordName } from "./password-words.ts";
import type { ValueKind } from "./secret-value.ts";
import { endsInOneOf } from "./word-ending.ts";

export type NameKind =
  | ValueKind
  | "signature"
  | "address-code"
  | "key-member"
  | "authorization"
  | "cookie"
  | "set-cookie"
  | "key-lines"
  | "pair-value";

const maybeSecret =
  /pass|pwd|pw$|secret|token|key|auth|cred|cookie|sig|private|salt|mnemonic|psk|seed|jwt|value|^d$|code|pat$|-data$|bw_session/i;
/** How names for passwords in other languages end. */
const isMaybeForeign = endsInOneOf("rt rd de na ol la re ha as dp lo ka zo za ya di au is st et");
const password =
  /(?:password|passwd|passphrase|passcode|pwd|secret|mnemonic|seed_?phrase|secret_?value|psk|pre_?shared_?key)$|(?:^|[_.-])(?:pass|pw)$/i;
const camelPassword = /[a-z]Pass$/;
const keyOwner =
  "api|access|secret|private|signing|signature|encryption|encrypt|decryption|master|app|application|auth|account|shared|" +
  "storage|subscription|functions|license|licence|service|service_?role|admin|deploy|consumer|client|webhook|ssh|hmac|jwt|" +
  "session|cookie|crypt|cipher|aes|anon|ingest|host|server|write|primary|secondary|priv|project|integration|rest";
const token = new RegExp(
  `(?:token|credentials?|apikey|accesskey|secretkey|privatekey|jwt|secret_?key_?base|salt)$|(?:^|[_.-]|[a-z](?=[A-Z]))(?:${keyOwner})[_.-]?key(?:_?base64)?$`,
  "i",
);
const camelKey = new RegExp(`(?:${keyOwner})Key$`, "i");
const otherToken =
  /(?:^|[_.-])(?:client-(?:key|certificate)-data|pat|bw_session|protection-bypass|(?:unseal|recovery)_?keys?(?:_(?:b|base|hex))?)$/i;
const authName = /(?:^|[_.-])(?:auth|code_verifier|(?:recovery|backup|access|verification|activation)_codes?)$/i;
/** These end like secrets and hold none. */
const harmless =
  /(?:public_?key|publishable_?key|(?:max|min|total|input|output|prompt|completion|num|next|prev|continuation|page|cursor|sync)[_-]?token|bypass|compass|primary_?key_?name)$/i;

/** What a name says about the value after it; undefined for most names. */
export function kindOfName(name: string): NameKind | undefined {
  if (!isMaybeForeign(name) && !maybeSecret.test(name)) return undefined;
  // a name with a space, or with letters of other alphabets, was found because it means a password
  if (/[ \u0080-\uffff]/.test(name)) return "password";
  const bare = name.replace(/[_-]?\d{1,2}$/, "").replace(/^[-$.]+/, "");
  if (/^(?:set-cookie)$/i.test(bare)) return "set-cookie";
  if (/(?:^|[._-])cookies?$/i.test(bare)) return "cookie";
  if (/authorization$/i.test(bare)) return "authorization";
  if (/^private-lines$/i.test(bare)) return "key-lines";
  if (/^value$/i.test(bare)) return "pair-value";
  if (name === "d") return "key-member";
  if (/(?:^|-)(?:sig|signature)$/i.test(bare)) return "signature";
  if (/^code$/i.test(name)) return "address-code";
  if (otherToken.test(bare)) return "token";
  if (harmless.test(bare)) return undefined;
  if (password.test(bare) || camelPassword.test(bare) || foreignPasswordName.test(bare)) return "password";
  return token.test(bare) || camelKey.test(bare) || authName.test(bare) ? "token" : undefined;
}
