import { visibleLine } from "../../contract/words/visible-line.ts";
import type { LogLevel } from "./daily-log.ts";
import type { WrittenLine } from "./log-line.ts";

const colorOf: Readonly<Record<LogLevel, number>> = { debug: 2, info: 36, warn: 33, error: 31 };
const mostCharacters = 2_000;

/** A line of the log as a person reads it: when, how bad, what, and what belongs to it. */
export function logWords({ atMs, level, message, fields }: WrittenLine, colors: boolean): string {
  const paint = (code: number, text: string) => (colors && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text);
  const more = Object.entries(fields).map(([name, value]) => `${name}=${valueWords(name, value)}`);
  const parts = [
    paint(2, localTime(atMs)),
    paint(colorOf[level], level.padEnd(5)),
    visibleLine(message, mostCharacters),
    paint(2, visibleLine(more.join(" "), mostCharacters)),
  ];
  return parts.join(" ").trimEnd();
}

function valueWords(name: string, value: unknown): string {
  // the place in the program is for whoever reads the raw line
  const isCause = name === "err" && typeof value === "object" && value !== null && "message" in value;
  const shown = isCause ? value.message : value;
  if (typeof shown !== "string") return JSON.stringify(shown);
  return /^[\w.:/@+-]+$/.test(shown) ? shown : JSON.stringify(shown);
}

function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (count: number) => String(count).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  const time = [two(at.getHours()), two(at.getMinutes()), two(at.getSeconds())].join(":");
  return `${day} ${time}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}
