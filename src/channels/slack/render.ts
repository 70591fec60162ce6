// Markdown as Slack's mrkdwn, in which nothing can be escaped but & < and >.
import type { RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import { type Span, textOf } from "../rendering/document.ts";
import { type Layout, layOut } from "../rendering/lay-out.ts";
import type { WordsLine } from "../rendering/line.ts";
import { type Mark, nestMarks, wrapWords } from "../rendering/nest-marks.ts";
import { type Form, packLines } from "../rendering/pack-lines.ts";
import { readMarkdown } from "../rendering/read-markdown.ts";
import { isOwnAddress } from "../rendering/spans.ts";
import { bold } from "../rendering/table-lines.ts";

export function renderSlack(markdown: string): readonly RenderedPiece[] {
  return packLines(form, layOut(layout, readMarkdown(markdown)));
}

/** A space of no width: it ends what would otherwise be read as one with its neighbour. */
const nothing = "\u200b";
/** Looks like a backtick, which would begin code or end it. */
const similar = "ˋ";

const layout: Layout = {
  point: ({ number, isDone }) =>
    isDone === undefined ? (number === undefined ? "• " : `${number}. `) : isDone ? "☑ " : "☐ ",
  rule: "———",
  tableWidth: 64,
  isLink: (href) => /^(?:https?|mailto):/i.test(href) && address(href).length <= 1_000,
};

const form: Form = {
  words: ({ level, quotes, lead, spans }: WordsLine) => {
    const words = nestMarks({ leaf, wrap, between }, level > 0 ? spans.map(bold) : spans);
    const start = quotes === 0 ? lead : `> ${escapeWords("> ".repeat(quotes - 1))}${lead}`;
    // a line that begins so would be taken for a quote
    return start + words.replace(/^&gt;/, `${nothing}&gt;`);
  },
  code: escapeCode,
  open: (frame) => (frame.kind === "code" ? "```\n" : ""),
  close: (frame) => (frame.kind === "code" ? "\n```" : ""),
  quoteGap: "\n> \n",
  address: (href) => ` (${href})`,
  // what stands in angle brackets calls people, whether marks are read or not
  plain: (text) => text.replace(/<(?=[!@#\w])/g, `<${nothing}`),
  measure: (markup) => [markup.length],
  most: [3_500],
  measurePlain: (text) => text.length,
  mostPlain: 3_500,
};

const signs: Readonly<Record<Exclude<Mark, "link">, string>> = { bold: "*", italic: "_", strike: "~" };

function wrap(mark: Mark, inner: string, spans: readonly Span[]): string {
  if (mark !== "link") return wrapWords(inner, signs[mark]);
  const href = address(spans[0]?.href ?? "");
  // marks within a link are shown as they are
  return isOwnAddress(spans) ? `<${href}>` : wrapWords(escapeWords(textOf(spans)), `<${href}|`, ">");
}

function leaf({ text, isCode }: Span): string {
  if (isCode) return wrapWords(escapeCode(text).replace(/`/g, similar), "`");
  // a sign that would begin a mark is kept from its word
  return escapeWords(text)
    .replace(/`/g, similar)
    .replace(/(^|[^\p{L}\p{N}])([*_~]+)(?=\S)/gu, `$1$2${nothing}`);
}

// a mark counts only at the border of a word
function between(left: string, right: string, isMarked: { left: boolean; right: boolean }): string {
  const isTight = isMarked.left && isMarked.right && /\S$/.test(left) && /^\S/.test(right);
  const isInWord = isMarked.left ? /^[\p{L}\p{N}]/u.test(right) : /[\p{L}\p{N}]$/u.test(left);
  return isTight || isInWord ? nothing : "";
}

function escapeWords(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function escapeCode(text: string): string {
  return escapeWords(text).replace(/``(?=`)/g, `\`\`${nothing}`);
}

function address(href: string): string {
  return escapeWords(href.replace(/\|/g, "%7C").replace(/</g, "%3C").replace(/>/g, "%3E"));
}
