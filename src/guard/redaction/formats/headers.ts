import { isPlaceholderToken, looksRandom } from "../find/secret-value.ts";
import { rawColourStart, tokenEnd } from "../reading.ts";
import type { Format } from "./format.ts";

const outside = `\\s"'\`\\\\${rawColourStart}`;
const secondWordEnd = /[\n\r"'\\]|^\S+[ \t]+\S+\s/;
const notFollowedByIs = /[\n\r]|^[A-Za-z]+(?![A-Za-z])(?! ?$| i$| is)|^\S+ is\S? +\S+\s/;
const notFollowedByPassword =
  /^login(?![ \t]|$)|^\S+[ \t]+[\n\r]|^\S+[ \t]+\S+\s+(?!password)(?:\S{8}|\S+\s)|^(?:\S+\s+){3}\S+\s/;

/** Secrets known by the words before them rather than by their own letters. */
export const headerFormats: readonly Format[] = [
  {
    name: "jwt",
    prefixes: ["eyJ"],
    body: "(?<![_-]eyJ)[\\w-]{8,1500}\\.(?:[\\w-]{8}|\\.[\\w-]{8})",
    tail: "dotted",
    reach: { stop: tokenEnd, limit: 1600 },
  },
  {
    name: "bearer-token",
    prefixes: ["Bearer", "bearer", "BEARER"],
    lead: "[A-Za-z]{6}(?: {1,4}|%20|\\+)",
    body: "[A-Za-z0-9._~+/=-]{7,400}[A-Za-z0-9_~+/=-]",
    tail: "token",
    reach: { stop: secondWordEnd, limit: 440 },
    isSecret: looksRandom,
  },
  {
    name: "okta-token",
    prefixes: ["SSWS"],
    lead: "SSWS(?: {1,4}|%20|\\+)",
    body: "[\\w-]{20,400}",
    tail: "word",
    reach: { stop: secondWordEnd, limit: 440 },
    isSecret: (secret) => /\d/.test(secret) && !isPlaceholderToken(secret),
  },
  {
    name: "basic-credentials",
    prefixes: ["Basic", "basic", "BASIC"],
    lead: "[A-Za-z]{5} {1,4}",
    body: "[A-Za-z0-9+/_-]{8,400}={0,2}",
    reach: { stop: secondWordEnd, limit: 440 },
    isSecret: holdsUserAndPassword,
  },
  {
    name: "password",
    prefixes: ["password", "Password", "passphrase", "Passphrase", "passwd", "passcode"],
    lead: "[A-Za-z]{6,10} is:? {1,4}[\"'`*]{0,3}",
    body: `[^${outside}]{5,200}[^${outside}.,;:)]`,
    reach: { stop: notFollowedByIs, limit: 260 },
    isSecret: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret) && !/^\d+[-–]|^[\w-]+\(/.test(secret),
  },
  {
    name: "token",
    prefixes: ["token", "Token", "key", "Key", "secret", "Secret"],
    lead: "[A-Za-z]{3,6} is:? {1,4}[\"'`*]{0,3}",
    body: "[\\w~+/=-]{12,200}",
    reach: { stop: notFollowedByIs, limit: 240 },
    isSecret: looksRandom,
  },
  {
    name: "password",
    prefixes: ["login"],
    lead: "login[ \\t]{1,4}[^\\s\"'\\\\]{1,80}(?:\\s|\\\\{1,16}[nrt]){1,12}password[ \\t]{1,4}",
    body: `[^${outside}]{4,200}`,
    reach: { stop: notFollowedByPassword, limit: 400 },
    isSecret: isWrittenOut,
  },
  {
    name: "password",
    prefixes: ["sshpass"],
    lead: "sshpass {1,4}-p {0,4}[\"']?",
    body: `[^${outside}$]{4,200}`,
    reach: { stop: /[\n\r]/, limit: 260 },
    isSecret: isWrittenOut,
  },
  {
    name: "password",
    prefixes: ["jdbc:oracle:thin:"],
    lead: "jdbc:oracle:thin:\\w{1,64}/",
    body: `[^${outside}@/]{4,64}(?=@)`,
    isSecret: isWrittenOut,
  },
];

/** Not a variable, a template or a line of dots. */
function isWrittenOut(secret: string): boolean {
  return !/^[{<$[(%]/.test(secret) && !isPlaceholderToken(secret);
}

/** Prose says "basic authentication" too; only what decodes to `user:password` is a secret. */
export function holdsUserAndPassword(base64: string): boolean {
  if (!/^[\w+/-]+={0,2}$/.test(base64)) return false;
  const plain = Buffer.from(base64, "base64").toString("latin1");
  return /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]+$/.test(plain);
}
