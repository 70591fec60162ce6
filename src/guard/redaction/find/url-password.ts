import { type Finding, holdsMask } from "../mask.ts";
import { matchAt, needsMore, type Reading, rawColourStart } from "../reading.ts";

const addressEnd = /[\s"'`<>]/;
const reach = 420;
const outside = `\\s"'\`<>\\\\${rawColourStart}`;
const userInfo = new RegExp(
  `:\\\\{0,8}/\\\\{0,8}/([^${outside}:/?#@]{0,120}):(?!\\d{1,5}[/?#])([^${outside}/]{1,256})@`,
  "y",
);
const databaseScheme =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver)(?:\+[a-z0-9]{1,10})?$/i;
const databaseUserInfo = new RegExp(
  `://([^${outside}:/?#@]{0,120}):(?!\\d{1,5}[/?#])([^${outside}]{1,256})@(?=[\\w.-]{1,100}[:/,?])`,
  "y",
);
const tokenOnly = /:\/\/([A-Za-z0-9_-]{20,200})@/y;
const driverPassword = new RegExp(`:([^${outside}:@/]{4,64})@(?:tcp|unix)\\(`, "y");
const passwordFile = new RegExp(
  `:(?:5432|5433|6432|\\*):[^${outside}:]{1,64}:[^${outside}:]{1,64}:([^${outside}:]{4,128})`,
  "y",
);
const placeholder =
  /^(?:pass|passwd|password|pw|pwd|secret|token|xxx+|\*+|\.+|…|.{0,3}|your.*|my.?password|changeme|[<[{$%].*|\$\{.*|[^a-z0-9]*|\d{1,5}|.*&[lg]t;.*)$/i;

/** The password in `scheme://user:password@host`; user, host and the rest may be seen. */
export function findUrlPassword(reading: Reading, at: number): Finding | "more" | undefined {
  const { text } = reading;
  const next = text[at + 1];
  if (next === undefined && !reading.isFinal) return "more";
  if (next === " " || next === undefined) return undefined;
  if (next !== "/" && next !== "\\") return findBarePassword(reading, at);
  if (needsMore(reading, at, reach, addressEnd)) return "more";
  const match = matchAt(userInfo, text, at) ?? matchDatabase(text, at);
  if (!match) return findTokenOnly(text, at);
  const [whole, user = "", password = ""] = match;
  if (holdsMask(whole) || placeholder.test(password) || password === user) return undefined;
  const end = at + whole.length - 1;
  return { start: end - password.length, end, name: "password", keep: 0 };
}

/** Connection strings are written by hand, and a slash in the password is forgotten. */
function matchDatabase(text: string, at: number): RegExpExecArray | null {
  if (!databaseScheme.test(text.slice(Math.max(0, at - 24), at))) return null;
  return matchAt(databaseUserInfo, text, at);
}

function findTokenOnly(text: string, at: number): Finding | undefined {
  const token = matchAt(tokenOnly, text, at)?.[1];
  if (!token || !/\d/.test(token) || !/[A-Za-z]/.test(token)) return undefined;
  return { start: at + 3, end: at + 3 + token.length, name: "token", keep: 0 };
}

/** Drivers and password files write the same without a scheme. */
function findBarePassword(reading: Reading, at: number): Finding | "more" | undefined {
  if (needsMore(reading, at, reach, addressEnd)) return "more";
  const match = matchAt(driverPassword, reading.text, at) ?? matchAt(passwordFile, reading.text, at);
  const password = match?.[1];
  if (!match || !password || placeholder.test(password) || holdsMask(match[0])) return undefined;
  const start = at + match[0].indexOf(password);
  return { start, end: start + password.length, name: "password", keep: 0 };
}
