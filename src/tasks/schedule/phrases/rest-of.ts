import { areNeighbours, type Span } from "./phrase.ts";

/** A sentence without what it says about time: "call mum tomorrow at six" leaves "call mum". */
export function restOf(text: string, spans: readonly Span[]): string {
  let left = "";
  let at = 0;
  for (const { from, to } of joined(text, spans)) {
    left = `${withoutLead(`${left}${text.slice(at, from).trimStart()}`)} `;
    at = to;
  }
  const rest = `${left}${text.slice(at).replace(/^[\s,;:–-]+/, "")}`.trim().replace(/^[\s,;:.!?–-]+|[\s,;:–-]+$/g, "");
  return rest
    .replace(/^(?:please\s+)?remind\s+(?:me|us)\b[\s,]*/i, "")
    .replace(/^(?:to|that|about)\s+/i, "")
    .replace(/\s*([.!?]+)$/, "$1")
    .replace(/^[.!?]+$/, "");
}

/** What it says about time, as it is written. */
export function wordsOf(text: string, spans: readonly Span[]): string {
  return joined(text, spans)
    .map(({ from, to }) => text.slice(from, to).trim())
    .join(" ");
}

function joined(text: string, spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && (span.from <= last.to || areNeighbours(text, last, span))) last.to = Math.max(last.to, span.to);
    else found.push({ from: span.from, to: span.to });
  }
  return found;
}

// "by tomorrow" leaves no "by"
function withoutLead(before: string): string {
  return before
    .replace(/[\s,;:–-]+$/, "")
    .replace(/(^|\s)(?:by|for|at|on)$/i, "")
    .trimEnd();
}
