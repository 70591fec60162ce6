// Words that are set in several ways, written with marks that open and close in order.
import type { Emphasis, Span } from "./document.ts";

export type Mark = Emphasis | "link";

export type Marks = {
  /** Words without a mark around them, or code. */
  leaf(span: Span): string;
  wrap(mark: Mark, inner: string, spans: readonly Span[]): string;
  /** What keeps a mark apart from what stands beside it, of which it is given the nearest characters. */
  between?(left: string, right: string, isMarked: { left: boolean; right: boolean }): string;
};

const marks: readonly Mark[] = ["bold", "italic", "strike", "link"];

export function nestMarks(form: Marks, spans: readonly Span[], open: readonly Mark[] = []): string {
  let written = "";
  let wasMarked = false;
  for (let at = 0; at < spans.length; ) {
    const longest = longestMark(spans, at, open);
    const end = longest?.end ?? at + 1;
    const some = spans.slice(at, end);
    const part =
      longest === undefined
        ? form.leaf(some[0] as Span)
        : form.wrap(longest.mark, nestMarks(form, some, [...open, longest.mark]), some);
    const isMarked = longest !== undefined || some[0]?.isCode === true;
    if (written !== "" && part !== "" && (wasMarked || isMarked)) {
      written += form.between?.(written.slice(-2), part.slice(0, 2), { left: wasMarked, right: isMarked }) ?? "";
    }
    written += part;
    if (part !== "") wasMarked = isMarked;
    at = end;
  }
  return written;
}

/** White space moves out of a mark, which would not count as one otherwise. */
export function wrapWords(inner: string, open: string, close = open): string {
  const words = inner.trim();
  if (words === "") return inner;
  const start = inner.indexOf(words);
  return inner.slice(0, start) + open + words + close + inner.slice(start + words.length);
}

/** Code between backticks, where it may hold some itself. */
export function wrapCode(text: string): string {
  if (!text.includes("`")) return wrapWords(text, "`");
  // two of them end the code, and three would begin a block of it
  const single = text.trim().replace(/`(?=`)/g, "`\u200b");
  return `\`\`${single.startsWith("`") ? " " : ""}${single}${single.endsWith("`") ? " " : ""}\`\``;
}

function longestMark(
  spans: readonly Span[],
  at: number,
  open: readonly Mark[],
): { mark: Mark; end: number } | undefined {
  let longest: { mark: Mark; end: number } | undefined;
  for (const mark of marks) {
    if (open.includes(mark)) continue;
    let end = at;
    while (end < spans.length && has(spans[end] as Span, mark, spans[at]?.href)) end += 1;
    if (end > (longest?.end ?? at)) longest = { mark, end };
  }
  return longest;
}

function has(span: Span, mark: Mark, href: string | undefined): boolean {
  return mark === "link" ? span.href !== undefined && span.href === href : span.emphasis.includes(mark);
}
