import { count } from "../words/amounts.ts";

export type Amount = { lines: number; messages: number; earlierVersions: number };

/** `3 lines, 1 message and 2 earlier versions of notes` */
export function amountInWords({ lines, messages, earlierVersions }: Amount): string {
  const parts = [
    ...(lines > 0 ? [count(lines, "line")] : []),
    ...(messages > 0 ? [count(messages, "message")] : []),
    ...(earlierVersions > 0 ? [count(earlierVersions, "earlier version of notes", "earlier versions of notes")] : []),
  ];
  return new Intl.ListFormat("en-GB").format(parts) || "nothing";
}
