// Markdown as ntfy shows it: marked lightly, since many phones show the text as it is.
import type { RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import type { Span } from "../rendering/document.ts";
import { type Layout, layOut } from "../rendering/lay-out.ts";
import type { WordsLine } from "../rendering/line.ts";
import { type Mark, nestMarks, wrapCode, wrapWords } from "../rendering/nest-marks.ts";
import { type Form, packLines } from "../rendering/pack-lines.ts";
import { readMarkdown } from "../rendering/read-markdown.ts";
import { isOwnAddress } from "../rendering/spans.ts";
import { bold } from "../rendering/table-lines.ts";

export function renderNtfy(markdown: string): readonly RenderedPiece[] {
  return packLines(form, layOut(layout, readMarkdown(markdown)));
}

const layout: Layout = {
  point: ({ number, isDone }) =>
    `${number === undefined ? "-" : `${number}.`} ${isDone === undefined ? "" : isDone ? "☑ " : "☐ "}`,
  rule: "———",
  tableWidth: 36,
  isLink: (href) => /^(?:https?|mailto):/i.test(href),
};

const form: Form = {
  words: ({ level, quotes, lead, spans }: WordsLine) => {
    const words = nestMarks({ leaf, wrap, between }, level > 0 ? spans.map(bold) : spans);
    return `${"> ".repeat(quotes)}${lead}${escapeStart(words)}`;
  },
  code: (text) => text.replace(/``(?=`)/g, "``\u200b"),
  open: (frame) => (frame.kind === "code" ? `\`\`\`${frame.language}\n` : ""),
  close: (frame) => (frame.kind === "code" ? "\n```" : ""),
  quoteGap: "\n> \n",
  address: (href) => ` (${href})`,
  measure: (markup) => [Buffer.byteLength(markup)],
  most: [4_095],
  measurePlain: (text) => Buffer.byteLength(text),
  mostPlain: 4_095,
};

const signs: Readonly<Record<Exclude<Mark, "link">, string>> = { bold: "**", italic: "*", strike: "~~" };

function wrap(mark: Mark, inner: string, spans: readonly Span[]): string {
  if (mark !== "link") return wrapWords(inner, signs[mark]);
  if (isOwnAddress(spans)) return inner;
  const href = (spans[0]?.href ?? "").replace(
    /[()<>\\]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return wrapWords(inner, "[", `](${href})`);
}

function leaf({ text, isCode, href }: Span): string {
  if (isCode) return wrapCode(text);
  if (href !== undefined && isOwnAddress([{ text, isCode, href, emphasis: [] }])) return text;
  // only what would be read as a mark is escaped, for the sake of those who see the backslash
  return text.replace(
    /[*`\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|<(?=[a-z/!?])|&(?=#?\w{1,30};)|\](?=\(|\[)/giu,
    "\\$&",
  );
}

function between(left: string, right: string, isMarked: { left: boolean; right: boolean }): string {
  return isMarked.left && isMarked.right && left.at(-1) === right[0] ? "\u200b" : "";
}

function escapeStart(words: string): string {
  return words.replace(/^(?:#{1,6}|[-+]|\d{1,9}[.)])(?=\s|$)|^>|^(?:=+|-+)(?=\s*$)|^\[(?=[^\]]{1,200}\]:)/, (sign) =>
    sign.replace(/\D/, "\\$&"),
  );
}
