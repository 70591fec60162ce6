import { type Finding, holdsMask } from "../mask.ts";
import { matchAt, needsMore, type Reading, rawColourStart } from "../reading.ts";
import { labelOf } from "./find-assignment.ts";

export type CookieStep = { finding?: Finding; end: number; isOver: boolean };

const reach = 700;
const outside = `;\\s"'\`\\\\,${rawColourStart}`;
const cookieEnd = new RegExp(`[\\n\\r]|[^\\s"'\`[\\\\][^${outside}]*[${outside}]`);
const pair = new RegExp(
  `(?:[ \\t[]|\\\\{0,16}["'\`]){0,8}([\\w.$!#%&*+^|~@/-]{1,128})=([^${outside}]{0,512})(;?)`,
  "y",
);
const sessionName = /sess|sid|auth|token|jwt|csrf|xsrf|secret|login|remember|^id$|identity/i;
const emptyCookie = /^(?:deleted|expired|undefined|disabled|enabled|anonymous|\d{1,6})$/i;
const attribute = /^(?:path|domain|expires|max-age|samesite|version|priority)$/i;

/** One `name=value` of a Cookie header; its value is secret if its name or its looks say so. */
export function readCookie(reading: Reading, at: number, isSetCookie: boolean): CookieStep | "more" {
  if (needsMore(reading, at, reach, cookieEnd)) return "more";
  const match = matchAt(pair, reading.text, at);
  if (!match) return { end: at, isOver: true };
  const [whole, name = "", value = "", more = ""] = match;
  const pairEnd = at + whole.length;
  const end = pairEnd - more.length;
  const start = end - value.length;
  const isOver = more === "" || isSetCookie;
  if (!isSecretCookie(name, value)) return { end: isOver ? start : pairEnd, isOver };
  const label = labelOf(reading, start, "cookie");
  if (label === "more") return "more";
  const isCut = value.length === 512;
  return { finding: { start, end, ...label, ...(isCut && { tail: "token" }) }, end: isCut ? end : pairEnd, isOver };
}

function isSecretCookie(name: string, value: string): boolean {
  if (attribute.test(name) || holdsMask(value) || /^[$<{[%]/.test(value)) return false;
  if (sessionName.test(name)) return value.length >= 6 && !emptyCookie.test(value);
  return value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value);
}
