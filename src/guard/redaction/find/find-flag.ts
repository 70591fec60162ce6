import { type Finding, holdsMask } from "../mask.ts";
import { type Entering, lineEnd, matchAt, needsMore, type Reading, rawColourStart } from "../reading.ts";
import { findFlagValue } from "./find-assignment.ts";

const longFlag = /--([A-Za-z][\w-]{0,48}) {1,8}/y;
const afterName = /^-{1,2}[\w-]*[^\w-]/;
const commandReach = 200;
const outside = `\\s"'\\\\$${rawColourStart}`;
const userFlag = new RegExp(`-u {0,4}["']?[^${outside}:]{1,64}:([^${outside}]{4,128})`, "y");
const authFlag = new RegExp(`-a {1,4}["']?([^${outside}]{4,128})`, "y");
const tokenFlag = /-t {1,4}["']?([\w.:=+/-]{20,200})/y;
const gluedPassword = new RegExp(`-p([^${outside}=]{4,64})`, "y");
const webClient = /(?:\b|\\[nrt])(?:curl|wget|http)\b/;
const databaseClient = /(?:\b|\\[nrt])(?:mysql|mysqldump|mysqladmin|mariadb)\b/;

/** A secret given on a command line: `--token abc`, `curl -u user:password`, `mysql -psecret`. */
export function findFlag(reading: Reading, at: number): Finding | Entering | "more" | undefined {
  const { text } = reading;
  if (at > 0 && !startsFlag(text, at)) return undefined;
  const next = text[at + 1];
  if (next === undefined && !reading.isFinal) return "more";
  if (next === "-") {
    if (needsMore(reading, at, 64, afterName)) return "more";
    const flag = matchAt(longFlag, text, at);
    return flag ? findFlagValue(reading, flag[1] ?? "", at + flag[0].length) : undefined;
  }
  if (next === "u") return findAfterCommand(reading, at, userFlag, webClient);
  if (next === "a") return findAfterCommand(reading, at, authFlag, /(?:\b|\\[nrt])redis-cli\b/);
  if (next === "t") return findAfterCommand(reading, at, tokenFlag, /(?:\b|\\[nrt])(?:vercel|bws)\b/);
  return next === "p" ? findAfterCommand(reading, at, gluedPassword, databaseClient) : undefined;
}

// most dashes join words or numbers; a letter before a flag belongs to an escape
function startsFlag(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (before >= "0" && before <= "9") return false;
  return before >= "a" && before <= "z"
    ? "nrt".includes(before) && text[at - 2] === "\\"
    : " \t\n\r\v\f\u00a0\"'`[,".includes(before);
}

function findAfterCommand(reading: Reading, at: number, flag: RegExp, command: RegExp): Finding | "more" | undefined {
  const { text } = reading;
  const line =
    text
      .slice(Math.max(reading.floor, at - commandReach), at)
      .split(/[\n\r]|\\+[nr]|\[redacted:[a-z0-9-]+\]/)
      .at(-1) ?? "";
  if (!command.test(line)) return undefined;
  if (needsMore(reading, at, 240, lineEnd)) return "more";
  const match = matchAt(flag, text, at);
  const password = match?.[1];
  if (!match || !password || holdsMask(match[0]) || /^\d{1,5}$|^<|^\[|^pass(?:word)?$/.test(password)) return undefined;
  const end = at + match[0].length;
  return { start: end - password.length, end, name: "password", keep: 0 };
}
