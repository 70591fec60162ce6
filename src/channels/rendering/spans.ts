// Cutting and completing words that are set in several ways.
import { plainSpan, type Span, textOf } from "./document.ts";

export function linesOf(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const span of spans) {
    for (const [index, text] of span.text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ ...span, text });
    }
  }
  return lines.map(withoutEnd);
}

// space at the end of a line is seen by nobody, but counted
function withoutEnd(line: readonly Span[]): Span[] {
  const last = line.at(-1);
  if (last === undefined || last.isCode || !/\s$/.test(last.text)) return [...line];
  const text = last.text.trimEnd();
  return text === "" ? withoutEnd(line.slice(0, -1)) : [...line.slice(0, -1), { ...last, text }];
}

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((length, { text }) => length + text.length, 0);
}

export function takeCharacters(spans: readonly Span[], most: number): Span[] {
  const taken: Span[] = [];
  let left = most;
  for (const span of spans) {
    if (left <= 0) break;
    taken.push(span.text.length <= left ? span : { ...span, text: span.text.slice(0, left) });
    left -= span.text.length;
  }
  return taken;
}

export function dropCharacters(spans: readonly Span[], count: number): Span[] {
  let left = count;
  return spans.flatMap((span) => {
    const dropped = Math.min(left, span.text.length);
    left -= dropped;
    return dropped === span.text.length && dropped > 0 ? [] : [{ ...span, text: span.text.slice(dropped) }];
  });
}

/** Words whose address cannot be a link are followed by it. */
export function spellOutLinks(
  spans: readonly Span[],
  how: { isLink(href: string): boolean; write(href: string): string },
): Span[] {
  return runsOf(spans).flatMap((run) => {
    const href = run[0]?.href;
    if (href === undefined || how.isLink(href)) return run;
    const words = run.map((span) => ({ ...span, href: undefined }));
    return isOwnAddress(run) || isPicture(href) ? words : [...words, plainSpan(how.write(href))];
  });
}

/** The words are the address itself. */
export function isOwnAddress(run: readonly Span[]): boolean {
  return bare(textOf(run)) === bare(run[0]?.href ?? "");
}

/** Neighbours that lead to the same place. */
function runsOf(spans: readonly Span[]): Span[][] {
  const runs: Span[][] = [];
  for (const span of spans) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && run[0].href === span.href) run.push(span);
    else runs.push([span]);
  }
  return runs;
}

// pictures that are written down in the address itself
function isPicture(href: string): boolean {
  return /^data:/i.test(href) || href === "";
}

function bare(address: string): string {
  return address
    .replace(/^(?:mailto:|https?:\/\/)/i, "")
    .replace(/\/$/, "")
    .toLowerCase();
}
