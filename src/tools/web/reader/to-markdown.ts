// HTML comes in, however broken or hostile; Markdown goes out in one pass whose time grows only with the length.
import { decodeEntities, type NamedEntity } from "./decode-entities.ts";
import { type Attributes, elementRules, endBlock, type Leave, openPage } from "./element-rules.ts";
import { tokenizeHtml } from "./tokenize-html.ts";

export type MarkdownOptions = {
  baseUrl: string;
  named: NamedEntity;
  /** Elements left out with all they hold, beside those that are never for readers. */
  dropped: ReadonlySet<string>;
  maxCharacters: number;
};

export type Markdown = { text: string; title: string; isCut: boolean };

const neverRead = new Set(
  "template svg canvas audio video object select datalist textarea annotation annotation-xml dialog".split(" "),
);
const blockElements = new Set(
  "address article aside body caption center details div dt fieldset figcaption figure footer form header hgroup html legend main nav optgroup p section summary tbody tfoot thead".split(
    " ",
  ),
);
const voidElements = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
/** An element of the first names ends at the next one of its kind, unless one of the second names stands between. */
const endedByNext: readonly { names: readonly string[]; within: readonly string[] }[] = [
  { names: ["li"], within: ["ul", "ol"] },
  { names: ["dd", "dt"], within: ["dl"] },
  { names: ["td", "th"], within: ["table", "tr"] },
  { names: ["tr"], within: ["table"] },
];
const deepestElement = 500;
/** What the mark-up of a cell or a line break costs in the text. */
const cellCharacters = 3;
const pieceCharacters = 256 * 1024;

export function toMarkdown(html: string, options: MarkdownOptions): Markdown {
  const page = openPage(options.baseUrl);
  const open: { name: string; leave: Leave }[] = [];
  const openCount = new Map<string, number>();
  let skipped: { name: string; depth: number } | undefined;
  let collected = 0;
  for (const token of tokenizeHtml(html)) {
    // a paragraph or a table that never ends is cut short like a text that is too long
    if (collected > options.maxCharacters) break;
    if (skipped && !endsSkipping(token)) continue;
    if (token.kind === "text") addText(token.text);
    else if (token.kind === "open") openElement(token.name, token.attributes);
    else closeElement(token.name);
  }
  while (open.length > 0) closeTopmost();
  endBlock(page);
  const title = page.title.replace(/\s+/g, " ").trim();
  const text = page.blocks.text();
  return { text: text.slice(0, options.maxCharacters), title, isCut: text.length > options.maxCharacters };

  /** True when the token is to be read after all. */
  function endsSkipping(token: { kind: string; name?: string }): boolean {
    if (!skipped || token.name !== skipped.name) return false;
    if (token.kind === "open") {
      if (isEndedByNext(skipped.name)) skipped = undefined;
      else skipped.depth++;
      return skipped === undefined;
    }
    skipped.depth--;
    if (skipped.depth === 0) skipped = undefined;
    return false;
  }

  // in pieces, so that a text without end is not decoded to its end
  function addText(text: string): void {
    for (let at = 0; at < text.length && collected <= options.maxCharacters; at += pieceCharacters) {
      const decoded = decodeEntities(text.slice(at, at + pieceCharacters), options.named);
      collected += decoded.length;
      if (page.isInTitle) page.title ||= decoded;
      else if (page.code) page.code.text += decoded;
      else page.inline.add(decoded);
    }
  }

  function openElement(name: string, attributes: Attributes): void {
    if (!voidElements.has(name) && (neverRead.has(name) || options.dropped.has(name) || isHidden(attributes))) {
      skipped = { name, depth: 1 };
      return;
    }
    endBefore(name);
    if (name === "td" || name === "th" || name === "br") collected += cellCharacters;
    if (blockElements.has(name)) endBlock(page);
    const rule = elementRules.get(name);
    if (!rule || open.length >= deepestElement) return;
    const leave = rule(page, decodeAttributes(attributes));
    if (!leave) return;
    open.push({ name, leave });
    openCount.set(name, (openCount.get(name) ?? 0) + 1);
  }

  function decodeAttributes(attributes: Attributes): Attributes {
    return new Map([...attributes].map(([name, value]) => [name, decodeEntities(value, options.named)]));
  }

  // "<li>" without "</li>" is ordinary HTML, and so it is with cells and rows
  function endBefore(name: string): void {
    for (const { names, within } of endedByNext) {
      if (!names.includes(name) && !(name === "tr" && names.includes("td"))) continue;
      for (let at = open.length - 1; at >= 0; at--) {
        const found = open[at]?.name ?? "";
        if (names.includes(found)) closeElement(found);
        else if (!within.includes(found)) continue;
        break;
      }
    }
  }

  function closeElement(name: string): void {
    if (blockElements.has(name)) endBlock(page);
    // an end without a beginning must not cost a walk through all that is open
    if ((openCount.get(name) ?? 0) === 0) return;
    while (closeTopmost() !== name);
  }

  function closeTopmost(): string | undefined {
    const topmost = open.pop();
    if (!topmost) return undefined;
    openCount.set(topmost.name, (openCount.get(topmost.name) ?? 1) - 1);
    topmost.leave();
    return topmost.name;
  }
}

function isEndedByNext(name: string): boolean {
  return name === "p" || endedByNext.some(({ names }) => names.includes(name));
}

/** Text that no visitor sees is a favourite place for words meant for machines. */
function isHidden(attributes: Attributes): boolean {
  if (attributes.size === 0) return false;
  if (attributes.has("hidden") || attributes.get("aria-hidden")?.toLowerCase() === "true") return true;
  return /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.get("style") ?? "");
}
