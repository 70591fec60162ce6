// Markdown as Telegram's HTML, which knows no headings, lists and tables.
import type { RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import type { Span } from "../rendering/document.ts";
import { escapeHtml } from "../rendering/escape-html.ts";
import { type Layout, layOut } from "../rendering/lay-out.ts";
import type { Frame, WordsLine } from "../rendering/line.ts";
import { type Mark, nestMarks } from "../rendering/nest-marks.ts";
import { type Form, packLines } from "../rendering/pack-lines.ts";
import { readMarkdown } from "../rendering/read-markdown.ts";
import { bold } from "../rendering/table-lines.ts";

export function renderTelegram(markdown: string): readonly RenderedPiece[] {
  return packLines(form, layOut(layout, readMarkdown(markdown)));
}

const layout: Layout = {
  point: ({ number, isDone }) =>
    isDone === undefined ? (number === undefined ? "• " : `${number}. `) : isDone ? "☑ " : "☐ ",
  rule: "———",
  // what a phone shows without breaking lines
  tableWidth: 40,
  isLink: (href) => /^(?:https?|mailto|tg):/i.test(href) && escapeHtml(href).length <= 2_000,
};

const form: Form = {
  words: ({ level, quotes, lead, spans }: WordsLine) =>
    escapeHtml("> ".repeat(Math.max(0, quotes - 1)) + lead) +
    nestMarks({ leaf, wrap }, level > 0 ? spans.map(bold) : spans),
  code: escapeHtml,
  open: openFrame,
  close: closeFrame,
  quoteGap: "\n\n",
  address: (href) => ` (${href})`,
  // Telegram counts what is left when the marks are read; the bytes of the whole are limited as well
  measure: (markup) => [visible(markup).length, Buffer.byteLength(markup)],
  most: [4_096, 9_000],
  measurePlain: (text) => text.length,
  mostPlain: 4_096,
};

function openFrame(frame: Frame): string {
  if (frame.kind === "quote") return "<blockquote>";
  return frame.language === "" ? "<pre>" : `<pre><code class="language-${escapeHtml(frame.language)}">`;
}

function closeFrame(frame: Frame): string {
  if (frame.kind === "quote") return "</blockquote>";
  return frame.language === "" ? "</pre>" : "</code></pre>";
}

const tags: Readonly<Record<Exclude<Mark, "link">, string>> = { bold: "b", italic: "i", strike: "s" };

function wrap(mark: Mark, inner: string, [first]: readonly Span[]): string {
  if (mark === "link") return `<a href="${escapeHtml(first?.href ?? "")}">${inner}</a>`;
  return `<${tags[mark]}>${inner}</${tags[mark]}>`;
}

function leaf({ text, isCode }: Span): string {
  return isCode ? `<code>${escapeHtml(text)}</code>` : escapeHtml(text);
}

function visible(markup: string): string {
  return markup.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot);/g, "&");
}
