import { timeZoneProblem } from "../check-schedule.ts";
import { type Piece, type Span, spanOf } from "./phrase.ts";

const written =
  /(?:\bin\s{1,3})?\(?\b(?<name>(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[\w+/-]{1,40}|UTC|GMT)\b\)?(?:\s{1,3}time\b)?/g;

/** A time zone that is named by its IANA name, or UTC beside a time of day. */
export function findZone(text: string, clocks: readonly Span[]): (Piece<string> & { problem?: string }) | undefined {
  for (const match of text.matchAll(written)) {
    const span = spanOf(match);
    const name = match.groups?.name ?? "";
    const isBesideTime = clocks.some(
      ({ to }) => /^\s{0,3}$/.test(text.slice(to, Math.max(to, span.from))) && span.from - to <= 3,
    );
    if (!name.includes("/") && !isBesideTime) continue;
    const problem = timeZoneProblem(name);
    return { ...span, meaning: name === "GMT" ? "UTC" : name, ...(problem ? { problem } : {}) };
  }
  return undefined;
}
