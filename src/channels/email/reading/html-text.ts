// The words of a mail that has nothing but HTML. One pass over the text, so that no mail can make it slow.

const hidden = /^(head|style|script|title|template)$/;
const paragraphs = /^(p|div|table|ul|ol|h[1-6]|pre|hr|blockquote|section|article)$/;
const lines = /^(br|tr|li)$/;
const namedEntities: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", ndash: "–", mdash: "—", hellip: "…" },
  ...{
    auml: "ä",
    ouml: "ö",
    uuml: "ü",
    Auml: "Ä",
    Ouml: "Ö",
    Uuml: "Ü",
    szlig: "ß",
    eacute: "é",
    egrave: "è",
    euro: "€",
  },
  ...{
    laquo: "«",
    raquo: "»",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    bull: "•",
    copy: "©",
    zwnj: "",
    shy: "",
  },
};

const mostCharacters = 2_000_000;

/** `parts`: of the line that is being written; joined once, since a mail may be a single line. */
type Walk = {
  lines: string[];
  parts: string[];
  hasWords: boolean;
  hiddenIn: string | undefined;
  quoteDepth: number;
  link: { href: string; firstPart: number } | undefined;
};

export function htmlText(whole: string): string {
  const html = whole.slice(0, mostCharacters);
  const walk: Walk = { lines: [], parts: [], hasWords: false, hiddenIn: undefined, quoteDepth: 0, link: undefined };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    addText(walk, html.slice(at, open === -1 ? undefined : open));
    if (open === -1) break;
    const isComment = html.startsWith("<!--", open);
    const close = html.indexOf(isComment ? "-->" : ">", open + 1);
    if (close === -1) break;
    if (!isComment) addTag(walk, html.slice(open + 1, close));
    at = close + (isComment ? 3 : 1);
  }
  endLine(walk);
  while (/^[> ]*$/.test(walk.lines.at(-1) ?? "x")) walk.lines.pop();
  return walk.lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function addText(walk: Walk, text: string): void {
  if (walk.hiddenIn !== undefined || text === "") return;
  const words = decodeEntities(text.replace(/\s+/g, " "));
  walk.parts.push(words);
  walk.hasWords ||= /\S/.test(words);
}

function addTag(walk: Walk, tag: string): void {
  const isEnd = tag.startsWith("/");
  const name = (/^\/?([a-z][a-z0-9]*)/i.exec(tag.slice(0, 30))?.[1] ?? "").toLowerCase();
  if (walk.hiddenIn !== undefined) {
    if (isEnd && name === walk.hiddenIn) walk.hiddenIn = undefined;
  } else if (hidden.test(name)) {
    if (!isEnd && !tag.endsWith("/")) walk.hiddenIn = name;
  } else if (name === "a") addLink(walk, tag, isEnd);
  else if (lines.test(name)) addLine(walk, name, isEnd);
  else if (paragraphs.test(name)) addParagraph(walk, name, isEnd);
  else if (/^t[dh]$/.test(name) && isEnd) walk.parts.push(" ");
}

function addLine(walk: Walk, name: string, isEnd: boolean): void {
  if (name === "br" || walk.hasWords) endLine(walk);
  if (name === "li" && !isEnd) walk.parts.push("- ");
}

function addParagraph(walk: Walk, name: string, isEnd: boolean): void {
  if (walk.hasWords) endLine(walk);
  const isAfterWords = /[^> ]/.test(walk.lines.at(-1) ?? "");
  if (isAfterWords) endLine(walk);
  if (name === "blockquote") walk.quoteDepth = Math.max(0, walk.quoteDepth + (isEnd ? -1 : 1));
}

function addLink(walk: Walk, tag: string, isEnd: boolean): void {
  if (!isEnd) {
    const found = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(tag.slice(0, 4_000));
    const href = decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? "");
    walk.link = /^https?:\/\//i.test(href) ? { href, firstPart: walk.parts.length } : undefined;
  } else if (walk.link) {
    const { href, firstPart } = walk.link;
    if (!walk.parts.slice(firstPart).join("").includes(href)) walk.parts.push(` (${href})`);
    walk.link = undefined;
  }
}

function endLine(walk: Walk): void {
  const quote = walk.quoteDepth > 0 ? `${">".repeat(Math.min(walk.quoteDepth, 5))} ` : "";
  const words = walk.parts.join("").replace(/ {2,}/g, " ").trim();
  walk.lines.push(`${quote}${words}`.trimEnd());
  Object.assign(walk, { parts: [], hasWords: false });
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return namedEntities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff) ? "" : String.fromCodePoint(code);
  });
}
