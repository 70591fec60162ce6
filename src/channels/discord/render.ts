// Markdown as Discord's: almost the same, but for tables, pings and what it takes for marks.
import type { RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import { type Span, textOf } from "../rendering/document.ts";
import { type Layout, layOut } from "../rendering/lay-out.ts";
import type { WordsLine } from "../rendering/line.ts";
import { type Mark, nestMarks, wrapCode, wrapWords } from "../rendering/nest-marks.ts";
import { type Form, packLines } from "../rendering/pack-lines.ts";
import { readMarkdown } from "../rendering/read-markdown.ts";
import { isOwnAddress } from "../rendering/spans.ts";
import { bold } from "../rendering/table-lines.ts";

export function renderDiscord(markdown: string): readonly RenderedPiece[] {
  return packLines(form, layOut(layout, readMarkdown(markdown)));
}

/** A space of no width: it ends what would otherwise be read as one with its neighbour. */
const nothing = "\u200b";

const layout: Layout = {
  point: ({ number, isDone }) =>
    `${number === undefined ? "-" : `${number}.`} ${isDone === undefined ? "" : isDone ? "☑ " : "☐ "}`,
  rule: "———",
  tableWidth: 56,
  isLink: (href) => /^https?:/i.test(href) && address(href).length <= 1_000,
};

const form: Form = {
  words: ({ level, quotes, lead, spans }: WordsLine) => {
    const isNative = level > 0 && level <= 3;
    const words = nestMarks({ leaf, wrap, between }, level > 3 ? spans.map(bold) : spans);
    const start = `${"> ".repeat(quotes)}${lead}`;
    if (words === "") return start;
    return start + withoutPings(isNative ? `${"#".repeat(level)} ${words}` : escapeStart(words));
  },
  code: (text) => withoutPings(text.replace(/``(?=`)/g, `\`\`${nothing}`)),
  open: (frame) => (frame.kind === "code" ? `\`\`\`${frame.language}\n` : ""),
  close: (frame) => (frame.kind === "code" ? "\n```" : ""),
  quoteGap: "\n> \n",
  address: (href) => ` (${href})`,
  plain: withoutPings,
  measure: (markup) => [markup.length],
  most: [2_000],
  measurePlain: (text) => text.length,
  mostPlain: 2_000,
};

const signs: Readonly<Record<Exclude<Mark, "link">, string>> = { bold: "**", italic: "_", strike: "~~" };

function wrap(mark: Mark, inner: string, spans: readonly Span[]): string {
  if (mark !== "link") return wrapWords(inner, signs[mark]);
  const href = address(spans[0]?.href ?? "");
  if (isOwnAddress(spans)) return `<${href}>`;
  // words that look like an address of their own are no link there
  if (/https?:\/\//i.test(textOf(spans))) return `${inner} (<${href}>)`;
  return wrapWords(inner, "[", `](${href})`);
}

function leaf({ text, isCode }: Span): string {
  if (isCode) return wrapCode(text);
  return text.replace(/[\\*_~`|]|\](?=\()/g, "\\$&");
}

function between(left: string, right: string, isMarked: { left: boolean; right: boolean }): string {
  const isSame = isMarked.left && isMarked.right && left.at(-1) === right[0];
  // an underscore within a word is no mark
  const isInWord = (left.endsWith("_") && isMarked.left && /^[\p{L}\p{N}]/u.test(right)) || right.startsWith("_");
  return isSame || (isInWord && !/\s$/.test(left)) ? nothing : "";
}

function escapeStart(words: string): string {
  return words.replace(/^(#{1,3}|-#|-|\+|>{1,3}|\d{1,9}\.)(?=\s)|^>/, (sign) =>
    /^\d/.test(sign) ? sign.replace(".", "\\.") : `\\${sign}`,
  );
}

function withoutPings(text: string): string {
  return text
    .replace(/@(?=everyone|here)/gi, `@${nothing}`)
    .replace(/<(?=@|#\d|a?:\w+:\d|t:-?\d|id:|\/[\w -]{1,100}:\d)/gi, `<${nothing}`);
}

function address(href: string): string {
  return href.replace(/[()<>\\]|@(?=everyone|here)/gi, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
