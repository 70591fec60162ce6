/** Names in lower case; only the attributes that reading needs, their values as written. */
export type HtmlToken =
  | { kind: "text"; text: string }
  | { kind: "open"; name: string; attributes: ReadonlyMap<string, string> }
  | { kind: "close"; name: string };

type Tag = { name: string; attributes: Map<string, string>; end: number };

// what stands in these is not for readers
const unreadElements = new Set(["script", "style", "iframe", "noembed", "noframes"]);
// in these a "<" is only a character
const textOnlyElements = new Set(["title", "textarea"]);
const wantedAttributes = new Set(["href", "alt", "class", "style", "hidden", "aria-hidden", "start"]);

/** One pass over the text, however broken it is: time grows with its length and nothing else. */
export function* tokenizeHtml(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const found = html.indexOf("<", at);
    const next = found === -1 ? html.length : found;
    if (next > at) yield { kind: "text", text: html.slice(at, next) };
    if (next === html.length) return;
    const markup = readMarkup(html, next);
    yield* markup.tokens;
    at = markup.end;
  }
}

function readMarkup(html: string, at: number): { tokens: readonly HtmlToken[]; end: number } {
  const second = html[at + 1] ?? "";
  if (html.startsWith("<!--", at)) return { tokens: [], end: after(html, "-->", at + 2) };
  if (second === "!" || second === "?") return { tokens: [], end: after(html, ">", at) };
  if (second === "/") {
    const end = after(html, ">", at);
    const name = /^[a-z][^\s/>]*/i.exec(html.slice(at + 2, Math.min(end, at + 42)))?.[0];
    return { tokens: name ? [{ kind: "close", name: name.toLowerCase() }] : [], end };
  }
  const tag = /[a-z]/i.test(second) ? readTag(html, at + 1) : undefined;
  if (!tag) return { tokens: [{ kind: "text", text: "<" }], end: at + 1 };
  const open: HtmlToken = { kind: "open", name: tag.name, attributes: tag.attributes };
  if (!unreadElements.has(tag.name) && !textOnlyElements.has(tag.name)) return { tokens: [open], end: tag.end };

  const close = find(html, new RegExp(`</${tag.name}(?=[\\s/>])`, "gi"), tag.end);
  if (unreadElements.has(tag.name)) return { tokens: [], end: after(html, ">", close) };
  const text: HtmlToken = { kind: "text", text: html.slice(tag.end, close) };
  return { tokens: [open, text, { kind: "close", name: tag.name }], end: after(html, ">", close) };
}

function readTag(html: string, at: number): Tag {
  let end = find(html, /[\s/>]/g, at);
  const tag: Tag = { name: html.slice(at, Math.min(end, at + 40)).toLowerCase(), attributes: new Map(), end };
  const attribute = /[\s/]*([^\s/>][^\s/>=]*)\s*(=?)\s*/y;
  for (;;) {
    attribute.lastIndex = end;
    const found = attribute.exec(html);
    if (!found) return { ...tag, end: after(html, ">", end) };
    const value = found[2] === "=" ? readValue(html, attribute.lastIndex) : { text: "", end: attribute.lastIndex };
    end = value.end;
    const name = (found[1] ?? "").toLowerCase();
    if (wantedAttributes.has(name) && !tag.attributes.has(name)) tag.attributes.set(name, value.text);
  }
}

function readValue(html: string, at: number): { text: string; end: number } {
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    // a quote that never closes swallows the rest of the page, as it does in a browser
    return end === -1 ? { text: "", end: html.length } : { text: html.slice(at + 1, end), end: end + 1 };
  }
  const end = find(html, /[\s>]/g, at);
  return { text: html.slice(at, end), end };
}

/** Where the pattern, which is a global one, next matches; else the end. */
function find(html: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}
