// What each HTML element means for the Markdown text; what an element began, the function it returns ends.
import { openInlineText } from "./inline-text.ts";
import { openMarkdownBlocks } from "./markdown-blocks.ts";
import { openTableRows } from "./table-rows.ts";

type Page = ReturnType<typeof openPage>;
export type Attributes = ReadonlyMap<string, string>;
export type Leave = () => void;
type ElementRule = (page: Page, attributes: Attributes) => Leave | undefined;

const longestLink = 500;

export function openPage(baseUrl: string) {
  return {
    blocks: openMarkdownBlocks(),
    inline: openInlineText(),
    tables: [] as ReturnType<typeof openTableRows>[],
    lists: [] as { nextNumber: number | undefined }[],
    /** Set inside `pre`, where every blank counts. */
    code: undefined as { text: string; language: string } | undefined,
    title: "",
    isInTitle: false,
    baseUrl,
  };
}

export function endBlock(page: Page): void {
  if (isInCell(page)) page.inline.add(" ");
  else page.blocks.add(page.inline.take());
}

export const elementRules: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  ...[1, 2, 3, 4, 5, 6].map((level): [string, ElementRule] => [`h${level}`, heading(level)]),
  ["a", link],
  ...rulesFor(
    "b strong",
    span("strong", (text) => `**${text}**`),
  ),
  ...rulesFor(
    "i em",
    span("em", (text) => `*${text}*`),
  ),
  ...rulesFor(
    "del s",
    span("del", (text) => `~~${text}~~`),
  ),
  ["q", span("q", (text) => `"${text}"`)],
  ...rulesFor("code kbd samp tt", code),
  ["pre", codeBlock],
  ["blockquote", (page) => container(page, "> ", "> ")],
  ["dl", (page) => container(page, "", "")],
  ["dd", (page) => container(page, ": ", "  ")],
  ["ul", (page) => list(page, undefined)],
  ["ol", (page, attributes) => list(page, Number.parseInt(attributes.get("start") ?? "", 10) || 1)],
  ["li", listItem],
  ["table", table],
  ["tr", row],
  ...rulesFor("td th", cell),
  ["img", image],
  ["br", lineBreak],
  ["hr", rule],
  ["title", title],
  ["base", base],
]);

function rulesFor(names: string, rule: ElementRule): readonly [string, ElementRule][] {
  return names.split(" ").map((name) => [name, rule]);
}

function heading(level: number): ElementRule {
  return (page) => {
    leaveTable(page);
    endBlock(page);
    return () => {
      const text = page.inline.take().replaceAll("\n", " ");
      if (text !== "") page.blocks.add(`${"#".repeat(level)} ${text}`);
    };
  };
}

function span(name: string, wrap: (text: string) => string): ElementRule {
  return (page) => {
    const { inline } = page;
    return inline.openSpan(name, wrap) ? () => inline.closeSpan(name) : undefined;
  };
}

function link(page: Page, attributes: Attributes): Leave | undefined {
  const target = linkTarget(page.baseUrl, attributes.get("href"));
  if (target === undefined) return undefined;
  return span("a", (text) => (text === target ? target : `[${text}](${target})`))(page, attributes);
}

function linkTarget(baseUrl: string, href: string | undefined): string | undefined {
  if (href === undefined || href.trim().startsWith("#")) return undefined;
  const url = URL.parse(href.trim(), baseUrl);
  if (!url || !["http:", "https:", "mailto:"].includes(url.protocol)) return undefined;
  // brackets would end the link too early
  const target = url.href.replaceAll("(", "%28").replaceAll(")", "%29");
  return target.length > longestLink ? undefined : target;
}

function code(page: Page, attributes: Attributes): Leave | undefined {
  if (page.code) {
    page.code.language ||= languageOf(attributes);
    return undefined;
  }
  return span("code", (text) => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``))(page, attributes);
}

function codeBlock(page: Page, attributes: Attributes): Leave {
  leaveTable(page);
  endBlock(page);
  const block = { text: "", language: languageOf(attributes) };
  page.code = block;
  return () => {
    page.code = undefined;
    const text = block.text.replace(/^\n/, "").trimEnd();
    // longer than any fence that the text itself holds
    const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
    const fence = "`".repeat(longest + 1);
    if (text.trim() !== "") page.blocks.add(`${fence}${block.language}\n${text}\n${fence}`);
  };
}

function languageOf(attributes: Attributes): string {
  return /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,20})/.exec(attributes.get("class") ?? "")?.[1] ?? "";
}

function container(page: Page, first: string, rest: string): Leave {
  if (first === "> ") leaveTable(page);
  endBlock(page);
  const isShown = !isInCell(page) && page.blocks.enter(first, rest);
  return () => {
    endBlock(page);
    if (isShown) page.blocks.leave();
  };
}

function list(page: Page, nextNumber: number | undefined): Leave {
  endBlock(page);
  page.lists.push({ nextNumber });
  return () => {
    endBlock(page);
    page.lists.pop();
    if (page.lists.length === 0) page.blocks.endList();
  };
}

function listItem(page: Page): Leave {
  const own = page.lists.at(-1);
  const marker = own?.nextNumber === undefined ? "- " : `${own.nextNumber++}. `;
  return container(page, marker, " ".repeat(marker.length));
}

function table(page: Page): Leave {
  leaveTable(page);
  endBlock(page);
  const rows = openTableRows();
  page.tables.push(rows);
  return () => {
    page.tables.pop();
    for (const text of rows.take()) page.blocks.add(text);
    endBlock(page);
  };
}

function row(page: Page): undefined {
  if (page.tables.at(-1)?.isLayout()) endBlock(page);
  page.tables.at(-1)?.nextRow();
}

function cell(page: Page): Leave | undefined {
  const rows = page.tables.at(-1);
  if (!rows) return undefined;
  const outer = page.inline;
  if (!rows.isLayout()) page.inline = openInlineText();
  return () => {
    if (rows.isLayout()) page.blocks.add(page.inline.take());
    else rows.addCell(page.inline.take());
    page.inline = outer;
  };
}

function isInCell(page: Page): boolean {
  const rows = page.tables.at(-1);
  return rows !== undefined && !rows.isLayout();
}

/** Headings, code and tables do not fit into a cell: whoever puts them there has arranged a page, not a table. */
function leaveTable(page: Page): void {
  if (!isInCell(page)) return;
  const rows = page.tables.at(-1);
  rows?.makeLayout();
  for (const text of rows?.take() ?? []) page.blocks.add(text);
}

function image(page: Page, attributes: Attributes): undefined {
  const alt = attributes.get("alt")?.trim();
  if (alt && !page.code) page.inline.add(`[image: ${alt}]`);
}

function lineBreak(page: Page): undefined {
  if (page.code) page.code.text += "\n";
  else page.inline.lineBreak();
}

function rule(page: Page): undefined {
  endBlock(page);
  if (!isInCell(page)) page.blocks.add("---");
}

function title(page: Page): Leave | undefined {
  page.isInTitle = true;
  return () => {
    page.isInTitle = false;
  };
}

function base(page: Page, attributes: Attributes): undefined {
  page.baseUrl = URL.parse(attributes.get("href") ?? "", page.baseUrl)?.href ?? page.baseUrl;
}
