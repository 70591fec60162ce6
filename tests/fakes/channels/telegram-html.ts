// Telegram's HTML as strictly as Telegram reads it, with its own words for what it refuses.
const tags = new Set(
  "b strong i em u ins s strike del a code pre blockquote tg-spoiler span tg-emoji tg-time".split(" "),
);
const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

export type ReadHtml = { text: string } | { problem: string };

/** The text without its tags, or what Telegram says of it. */
export function readTelegramHtml(html: string): ReadHtml {
  const open: string[] = [];
  let text = "";
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    text += unescaped(html.slice(at, start < 0 ? undefined : start));
    if (start < 0) break;
    const end = html.indexOf(">", start);
    const offset = Buffer.byteLength(html.slice(0, start));
    if (end < 0) return refused(`Unclosed start tag at byte offset ${offset}`);
    const inside = html.slice(start + 1, end);
    const problem = inside.startsWith("/") ? closed(open, inside, offset) : opened(open, inside, offset);
    if (problem !== undefined) return refused(problem);
    at = end + 1;
  }
  const left = open.at(-1);
  return left === undefined ? { text } : refused(`Can't find end tag corresponding to start tag "${left}"`);
}

function opened(open: string[], inside: string, offset: number): string | undefined {
  const name = /^[a-zA-Z-]*/.exec(inside)?.[0].toLowerCase() ?? "";
  const isSpoiler = name !== "span" || /class="tg-spoiler"/.test(inside);
  if (!tags.has(name) || !isSpoiler) return `Unsupported start tag "${name}" at byte offset ${offset}`;
  open.push(name);
  return undefined;
}

function closed(open: string[], inside: string, offset: number): string | undefined {
  const name = inside.slice(1).trim().toLowerCase();
  const expected = open.pop();
  if (expected === undefined) return `Unexpected end tag at byte offset ${offset}`;
  if (name === expected || name === "") return undefined;
  return `Unmatched end tag at byte offset ${offset}, expected "</${expected}>", found "</${name}>"`;
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function refused(problem: string): ReadHtml {
  return { problem: `Bad Request: can't parse entities: ${problem}` };
}
