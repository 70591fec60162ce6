// Markdown as the body of a mail: a little HTML without anything that is fetched, and the same to read without HTML.
import type { RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import type { Block, Span, TableRow } from "../rendering/document.ts";
import { escapeHtml } from "../rendering/escape-html.ts";
import { type Layout, layOut } from "../rendering/lay-out.ts";
import { type Mark, nestMarks } from "../rendering/nest-marks.ts";
import { type Form, packLines } from "../rendering/pack-lines.ts";
import { readMarkdown } from "../rendering/read-markdown.ts";
import { spellOutLinks } from "../rendering/spans.ts";

export function renderEmail(markdown: string): readonly RenderedPiece[] {
  const blocks = readMarkdown(markdown);
  const [piece] = packLines(plainForm, layOut(plainLayout, blocks));
  return [{ markup: blocks.map(htmlOf).join("\n"), plain: piece?.plain ?? "" }];
}

const isLink = (href: string) => /^(?:https?|mailto):/i.test(href);

const plainLayout: Layout = {
  point: ({ number, isDone }) =>
    `${number === undefined ? "-" : `${number}.`} ${isDone === undefined ? "" : isDone ? "[x] " : "[ ] "}`,
  rule: "---",
  tableWidth: 72,
  isLink,
};

const plainForm: Form = {
  words: () => "",
  code: () => "",
  open: () => "",
  close: () => "",
  address: (href) => ` <${href}>`,
  quoteGap: "\n\n",
  measure: () => [],
  most: [],
  measurePlain: () => 0,
  mostPlain: Number.POSITIVE_INFINITY,
};

const quoteStyle = "margin:0 0 1em;padding-left:1em;border-left:3px solid #ccc;color:#555";
const codeStyle = "margin:0 0 1em;padding:.75em;background:#f5f5f5;white-space:pre-wrap;font-family:monospace";
const cellStyle = "padding:.25em .75em;border:1px solid #ccc;vertical-align:top";

function htmlOf(block: Block): string {
  switch (block.kind) {
    case "words": {
      const tag = block.level === 0 ? "p" : `h${block.level}`;
      return `<${tag} dir="auto">${htmlOfSpans(block.spans)}</${tag}>`;
    }
    case "code":
      return `<pre style="${codeStyle}">${escapeHtml(block.text)}</pre>`;
    case "quote":
      return `<blockquote style="${quoteStyle}">\n${block.blocks.map(htmlOf).join("\n")}\n</blockquote>`;
    case "list":
      return htmlOfList(block);
    case "table": {
      const [header = [], ...rows] = block.rows;
      const lines = [htmlOfRow(header, "th", block.isRight), ...rows.map((row) => htmlOfRow(row, "td", block.isRight))];
      return `<table style="border-collapse:collapse;margin:0 0 1em">\n${lines.join("\n")}\n</table>`;
    }
    case "rule":
      return "<hr>";
    default:
      return block satisfies never;
  }
}

function htmlOfList({ start, isLoose, items }: Block & { kind: "list" }): string {
  const open = start === undefined ? "<ul>" : start === 1 ? "<ol>" : `<ol start="${start}">`;
  const lines = items.map(({ isDone, blocks }) => {
    const box = isDone === undefined ? "" : isDone ? "☑ " : "☐ ";
    const inner = blocks.map((block) =>
      block.kind === "words" && block.level === 0 && !isLoose ? htmlOfSpans(block.spans) : htmlOf(block),
    );
    return `<li dir="auto">${box}${inner.join("\n")}</li>`;
  });
  return `${open}\n${lines.join("\n")}\n${start === undefined ? "</ul>" : "</ol>"}`;
}

function htmlOfRow(row: TableRow, tag: "th" | "td", isRight: readonly boolean[]): string {
  const cells = row.map((cell, column) => {
    const align = isRight[column] ? ";text-align:right" : tag === "th" ? ";text-align:left" : "";
    return `<${tag} style="${cellStyle}${align}">${htmlOfSpans(cell)}</${tag}>`;
  });
  return `<tr>${cells.join("")}</tr>`;
}

function htmlOfSpans(spans: readonly Span[]): string {
  return nestMarks({ leaf, wrap }, spellOutLinks(spans, { isLink, write: (href) => ` (${href})` }));
}

const tags: Readonly<Record<Exclude<Mark, "link">, string>> = { bold: "strong", italic: "em", strike: "s" };

function wrap(mark: Mark, inner: string, [first]: readonly Span[]): string {
  if (mark === "link") return `<a href="${escapeHtml(first?.href ?? "")}">${inner}</a>`;
  return `<${tags[mark]}>${inner}</${tags[mark]}>`;
}

function leaf({ text, isCode }: Span): string {
  return isCode ? `<code>${escapeHtml(text)}</code>` : escapeHtml(text).replace(/\n/g, "<br>\n");
}
