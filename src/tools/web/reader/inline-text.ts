// Words, links and emphasis come in as they stand in the page; the text of one paragraph goes out.

type Span = { name: string; start: number; wrap(text: string): string };

const deepestSpan = 12;

export function openInlineText() {
  let pieces: string[] = [];
  const spans: Span[] = [];
  let endsInBlank = true;
  return { add, lineBreak, openSpan, closeSpan, take };

  function add(text: string): void {
    const collapsed = text.replace(/[ \t\n\r\f\u00a0]+/g, " ");
    const wanted = endsInBlank && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed;
    if (wanted === "") return;
    pieces.push(wanted);
    endsInBlank = wanted.endsWith(" ");
  }

  function lineBreak(): void {
    pieces.push("\n");
    endsInBlank = true;
  }

  /** What comes until `closeSpan` is wrapped; false: it is nested too deep to matter. */
  function openSpan(name: string, wrap: (text: string) => string): boolean {
    if (spans.length >= deepestSpan || spans.some((span) => span.name === name)) return false;
    spans.push({ name, start: pieces.length, wrap });
    return true;
  }

  function closeSpan(name: string): void {
    if (!spans.some((span) => span.name === name)) return;
    for (let span = spans.pop(); span; span = spans.pop()) {
      wrapFrom(span);
      if (span.name === name) return;
    }
  }

  /** The paragraph so far; spans that are still open go on in the next one. */
  function take(): string {
    for (const span of spans.toReversed()) wrapFrom(span);
    const text = pieces
      .join("")
      .replace(/ ?\n ?/g, "\n")
      .trim();
    pieces = [];
    endsInBlank = true;
    for (const span of spans) span.start = 0;
    return text;
  }

  // blanks stay outside, since "** bold **" is not bold
  function wrapFrom(span: Span): void {
    const inner = pieces.splice(span.start).join("");
    const text = inner.trim();
    if (text === "") {
      if (inner !== "") pieces.push(inner);
      return;
    }
    const begin = inner.startsWith(text) ? "" : " ";
    const end = inner.endsWith(text) ? "" : " ";
    pieces.push(`${begin}${span.wrap(text)}${end}`);
  }
}
