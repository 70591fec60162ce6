const comment = /<!--[\s\S]*?(?:-->|$)/g;
const heading = /^#{1,6}(?:\s|$)/;
/** The line under a heading, or one across the page. */
const rule = /^(?:=+|-+|(?:[-*_]\s*){3,})$/;
/** A list item, box, quotation or fence in which nothing stands. */
const bare = /^(?:>\s*)*(?:(?:[-*+•]|\d{1,9}[.)])(?:\s+\[[ xX]?\])?|\[[ xX]?\]|[`~]{3,}\w*)?$/;

/** What HEARTBEAT.md asks for, without its comments; empty when it is but headings and blanks. */
export function readInstructions(text: string): string {
  const said = text.replace(/^\uFEFF/, "").replace(comment, "");
  const lines = said.split("\n").map((line) => line.trim());
  const isAsking = lines.some((line, at) => !isEmptyLine(line) && !isUnderlined(lines, at));
  return isAsking ? said.replace(/\n{3,}/g, "\n\n").trim() : "";
}

function isEmptyLine(line: string): boolean {
  return heading.test(line) || rule.test(line) || bare.test(line);
}

function isUnderlined(lines: readonly string[], at: number): boolean {
  return /^(?:=+|-{2,})$/.test(lines[at + 1] ?? "") && !/^(?:[-*+•]|\d{1,9}[.)])\s/.test(lines[at] ?? "");
}
