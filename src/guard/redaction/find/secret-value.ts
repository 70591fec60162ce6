// In: a value and how it was written. Out: whether it can be a real secret rather than a placeholder, a word or code.

export type ValueKind = "password" | "token";
/** `"x"` or `'x'`; `KEY=x` in capitals; `key=x`; or bare after a space, where code and prose stand too. */
export type Writing = "quoted" | "environment" | "tight" | "loose";

const placeholderWords = new Set(
  (
    "your example examples placeholder changeme change dummy sample redacted masked hidden here todo fixme insert replace " +
    "foobar yourpassword yourtoken yoursecret notarealkey fake mock"
  ).split(" "),
);
const ordinaryValues = new Set(
  (
    "password passwd pass pwd pw passphrase secret token key apikey api_key none null nil undefined true false yes no on off " +
    "test testing default string str text number int boolean required optional admin root guest user username postgres mysql " +
    "password1 password2 pass1 pass2 string1 arg1 arg2 base64 utf8 sha256 sha512 md5 oauth2 bearer basic hashed encrypted"
  ).split(" "),
);

const uuid = /^[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}$/i;
const statesOfValues =
  /^(?:disabled|enabled|missing|expired|prompt|unset|empty|invalid|rotated|absent|present|unknown)$/i;

export function isSecretValue(kind: ValueKind, rawValue: string, writing: Writing): boolean {
  // the same value counts the same however often it was escaped
  const value = rawValue
    .replace(/\\+(?:t|u00[01][0-9a-fA-F])|\p{Cc}/gu, " ")
    .replace(/\\+(["'`]?)/g, (_, quote: string) => quote || "\\");
  if (isPlaceholder(value) || isReference(value) || (writing === "loose" && /^\$[A-Za-z_{(]/.test(value))) return false;
  if (kind === "token") return looksRandom(value) && !(writing === "loose" && isIdentifierChain(value));
  if (/\s/.test(value)) return isPassPhrase(value);
  // an environment file holds values only, so a plain word is one as well
  if (writing === "environment" && /^[A-Za-z]{6,}$/.test(value)) return !statesOfValues.test(value);
  return writing === "loose" ? isLoosePassword(value) : isPassword(value);
}

/** Letters and digits mixed as no word or name mixes them. */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || (isOrdinaryShape(value) && !uuid.test(value))) return false;
  if (/([A-Za-z0-9*.])\1{7}/.test(value) || isPlaceholder(value)) return false;
  if (/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(value)) return true;
  if (uuid.test(value) || /^[a-f0-9]{32,}$/i.test(value)) return true;
  if (/^[a-f0-9]{16,}$/i.test(value) && /\d/.test(value)) return true;
  const digits = count(value, /\d/g);
  const letters = count(value, /[A-Za-z]/g);
  if (digits >= 2 && letters >= 2) return !/[-_.:/\\ ]/.test(value) || partLength(value) < 3.5;
  if (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value)) return partLength(value) < 3.2;
  return value.length >= 16 && /^[a-z]+$/.test(value) && count(value, /[aeiouy]/g) / value.length < 0.2;
}

/** What documentation writes where the reader's own key would stand. */
export function isPlaceholderToken(body: string): boolean {
  return (
    /[xX*•]{5}|\.{3}/.test(body) ||
    /^[a-z]+(?:[-_][a-z]+)+$/.test(body) ||
    /(?:^|[-_])(?:your|my|example|placeholder|here|insert|replace|changeme)(?:[-_]|$)/i.test(body)
  );
}

export function isPlaceholder(value: string): boolean {
  const lower = value.toLowerCase();
  if (ordinaryValues.has(lower)) return true;
  if (/^(.)\1*$/.test(value) || /[xX*•#]{4}|\.{3}|…/.test(value)) return true;
  if (/^(?:0?123456789?0?|12345678|1234567|qwerty|abc123|abcdef|foo|bar|baz|hunter)$/i.test(value)) return true;
  return partsOf(value).some((part) => placeholderWords.has(part.toLowerCase()));
}

/** Templates, variables, paths, addresses and names of secrets point to a value; they are not one. */
function isReference(value: string): boolean {
  return (
    /\$\{|\{\{|\$\(|%\(|#\{|^<|^\{|^\[|^%[sdv]|^%\w+%$|^\$[A-Z_][A-Z0-9_]*$|^\$[a-z_]+$|^@\w+$|^!\w|^&\w+$|^\*\w+$/.test(
      value,
    ) ||
    /^(?:process\.env|os\.environ|import\.meta|env\.|ENV\b|getenv|secrets?\.|vars?\.|config\.|settings\.)/.test(
      value,
    ) ||
    /^(?:[a-z][a-z0-9+.-]{1,12}:\/\/|arn:|urn:|data:|sha\d{1,3}[:-]|ssh-|ENC\[|vault:|projects\/)/i.test(value) ||
    /^(?:~|\.{1,2})?(?:\/[\w.-]+)+\/?$/.test(value) ||
    /^[A-Za-z]:\\/.test(value)
  );
}

function isOrdinaryShape(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d/.test(value) ||
    /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value) ||
    /^[~^<>=v]*\d+(?:\.\d+)+/.test(value) ||
    /^[\d.,:+\-/ ]+$/.test(value) ||
    /^\d+(?:ms|px|rem|em|kb|mb|gb)\b/i.test(value)
  );
}

function isPassword(value: string): boolean {
  if (value.length < 6 || isOrdinaryShape(value)) return /^\d{8,}$/.test(value);
  if (/^[A-Za-z]+$/.test(value)) return looksScrambled(value);
  if (/^[a-z]+(?:-[a-z]+){3,}$/.test(value)) return !/\b(?:my|your|the|a|password|passwd|secret|token)\b/.test(value);
  if (/^[a-z]+(?:[-_./: ][a-z]+)+[.:!?]?$/i.test(value)) return false;
  return /\d/.test(value) || /[!-,;<=>?@[\]^`{|}~]/.test(value.slice(0, -1)) || looksScrambled(value);
}

/** After a space an identifier, a type or a sentence may follow as well. */
function isLoosePassword(value: string): boolean {
  if (!isPassword(value) || isIdentifierChain(value)) return false;
  if (/^[A-Za-z_$][\w$]*\d?$/.test(value) && count(value, /\d/g) < 2 && partLength(value) >= 4) {
    return /^[a-z]{4,}\d$/.test(value);
  }
  return !/^[A-Za-z]+\d{0,3}(?:[-_/.][A-Za-z]+\d{0,3})+$/.test(value) || partLength(value) < 3;
}

function isIdentifierChain(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value) && partLength(value) >= 2.8;
}

function isPassPhrase(value: string): boolean {
  if (/^[a-z]{4}(?: [a-z]{4}){3}$/.test(value)) return true;
  const words = value.split(/\s+/);
  if (words.some((word) => word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word) && partLength(word) < 2.5))
    return true;
  if (/\b(?:your|the|must|enter|please|at|least|is|are|be|for|to|a|an|of)\b/i.test(value)) return false;
  return words.some((word) => word.length >= 6 && isPassword(word) && partLength(word) < 3);
}

function looksScrambled(value: string): boolean {
  const insideCapital = /[a-z][A-Z]+[a-z]*[A-Z]/.test(value) && partLength(value) < 3;
  const fewVowels = value.length >= 12 && count(value, /[aeiouy]/gi) / value.length < 0.2;
  return insideCapital || fewVowels;
}

/** Mean length of the runs of one kind of letter: words have long runs, random text short ones. */
function partLength(value: string): number {
  const parts = partsOf(value);
  return parts.length === 0 ? 0 : parts.join("").length / parts.length;
}

function partsOf(value: string): string[] {
  return value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
}

function count(value: string, pattern: RegExp): number {
  return value.match(pattern)?.length ?? 0;
}
