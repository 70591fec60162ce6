// What somebody has newly written in a mail: without the history that mail programs put below it, and without the signature.

const attributionStart = /^\s*(on|am|le|el|il|op|em|den)\s.{4,}/i;
// who it was stands before it, or between it and the colon
const attributionEnd = /\b(wrote|a écrit|escribió|ha scritto|escreveu)$|\b(schrieb|schreef|skrev)\b/i;
const historyStart = /^\s*(-{2,}\s*(original message|ursprüngliche nachricht|forwarded message)\s*-{2,}|_{20,})\s*$/i;
const longestAttribution = 4;
/** Nobody writes more by hand. */
export const longestText = 200_000;

export function newWords(text: string): string {
  const whole = text.slice(0, longestText).replace(/\r\n?/g, "\n");
  const words = withoutSignature(withoutHistory(whole.split("\n")))
    .filter((line) => !isQuoted(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  // a mail that is nothing but a quotation has that to say
  const said = words === "" ? whole.trim() : words;
  return text.length > longestText ? `${said}\n[The mail goes on; this is its beginning.]` : said;
}

/** Quoted lines may stand between answers; history without marks goes on to the end. */
function withoutHistory(all: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < all.length; at++) {
    const line = all[at] ?? "";
    if (historyStart.test(line)) return kept;
    const length = attributionAt(all, at);
    if (length === 0) {
      kept.push(line);
      continue;
    }
    const isMarked = isQuoted(all[at + length] || (all[at + length + 1] ?? ""));
    if (!isMarked) return kept;
    at += length - 1;
  }
  return kept;
}

/** How many lines say who wrote what follows, such as `On Monday, Ann wrote:`; mail programs break them. */
function attributionAt(all: readonly string[], at: number): number {
  if (!attributionStart.test((all[at] ?? "").slice(0, 300))) return 0;
  for (let length = 1; length <= longestAttribution && at + length <= all.length; length++) {
    const last = all[at + length - 1] ?? "";
    if (last.trim() === "") return 0;
    if (endsAttribution(last)) return length;
  }
  return 0;
}

function endsAttribution(line: string): boolean {
  const end = line.slice(-300).trimEnd();
  return end.endsWith(":") && attributionEnd.test(end.slice(0, -1).trimEnd());
}

function withoutSignature(all: readonly string[]): readonly string[] {
  // with one, the blank is kept by most programs and dropped by some
  const at = all.findIndex((line) => line === "-- " || line === "--");
  return at === -1 ? all : all.slice(0, at);
}

function isQuoted(line: string): boolean {
  return line.startsWith(">");
}
