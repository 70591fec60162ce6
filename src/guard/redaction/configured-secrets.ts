// In: the environment, the settings and the stored keys. Out: every value in them that must not be seen anywhere.
import { kindOfName } from "./find/secret-name.ts";

export type ConfiguredSecretsDeps = {
  environment: Readonly<Record<string, string | undefined>>;
  storedKeys: Readonly<Record<string, string>>;
  settings: unknown;
};

const secretVariable = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|COOKIE/i;
/** A setting such as `apiKeyEnv` or `valueEnv` says which variable holds a secret. */
const namesVariable = /Env$/;
const path = /^(?:~|\.{1,2})?\/[\w./@+-]*$/;
const scheme = /^(?:Bearer|Basic|Token|ApiKey|SSWS|Digest) +(\S+)$/i;

export function configuredSecrets({ environment, storedKeys, settings }: ConfiguredSecretsDeps): string[] {
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value && isSecret(name, value) ? [value] : [],
  );
  const named = entriesIn(settings).flatMap(([name, value]) =>
    namesVariable.test(name) ? (environment[value] ?? []) : [],
  );
  const addresses = [...Object.values(environment), ...entriesIn(settings).map(([, value]) => value)];
  return [...variables, ...named, ...Object.values(storedKeys)]
    .flatMap(withoutScheme)
    .concat(addresses.flatMap((value) => passwordOf(value ?? "")));
}

function isSecret(name: string, value: string): boolean {
  if (secretVariable.test(name)) return true;
  const kind = kindOfName(name);
  // where a shell is has the name of a password as well
  return (kind === "password" || kind === "token") && !path.test(value);
}

/** Every text in the settings with the name it is under, however deep. */
function entriesIn(settings: unknown): [string, string][] {
  if (typeof settings !== "object" || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : entriesIn(value),
  );
}

/** A header's value is secret without its scheme too, and a password without the name before it. */
function withoutScheme(value: string): string[] {
  const bare = scheme.exec(value.trim())?.[1];
  if (bare === undefined) return [value];
  const password = Buffer.from(bare, "base64").toString("utf8").split(":").slice(1).join(":");
  return [value, bare, ...(/^basic/i.test(value.trim()) && password !== "" ? [password] : [])];
}

function passwordOf(value: string): string[] {
  if (!value.includes("@") || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  return password === "" ? [] : [password, decoded(password)];
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    // a lone percent sign stands for itself
    return password;
  }
}
