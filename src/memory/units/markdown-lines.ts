// What a single line of Markdown is; each of these takes no longer on a long line than the line is long.

export type Heading = { level: number; words: string };

export function readHeading(line: string): Heading | undefined {
  const [, marks = "", rest = ""] = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line) ?? [];
  if (marks === "") return undefined;
  const words = withoutClosing(rest.trim());
  return words === "" ? undefined : { level: marks.length, words };
}

/** `## So ##` */
function withoutClosing(words: string): string {
  let end = words.length;
  while (words[end - 1] === "#") end -= 1;
  if (end === words.length || (end > 0 && !/\s/.test(words[end - 1] ?? ""))) return words;
  return words.slice(0, end).trim();
}

export function isItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/.test(line) && !isRule(line);
}

/** A line across the page, or below a heading. */
export function isRule(line: string): boolean {
  return /^ {0,3}(?:([-*_])(?:[ \t]*\1){2,}|={2,})[ \t]*$/.test(line);
}

/** What closes the block of code that begins here: as many of the same sign, or more. */
export function readFence(line: string): { isClosedBy(line: string): boolean } | undefined {
  const [, marks = "", rest = ""] = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === "" || (marks.startsWith("`") && rest.includes("`"))) return undefined;
  return {
    isClosedBy(other) {
      const found = other.trim();
      return found.startsWith(marks) && found === marks.slice(0, 1).repeat(found.length);
    },
  };
}

// a point belongs to a name only after a single letter
const namePart = String.raw`(?:\p{Lu}\.|[\p{Lu}][\p{L}\p{M}'’-]*)`;
const spoken = new RegExp(
  String.raw`^(?:\*\*|__)?(${namePart}(?: ${namePart}){0,2})(?:\*\*|__)?\s?:(?:\*\*|__)?\s+(\S.*)$`,
  "u",
);

/** `Name: text`, as in a conversation. */
export function readSpoken(line: string): { speaker: string; text: string } | undefined {
  const [, speaker = "", text = ""] = spoken.exec(line) ?? [];
  return speaker === "" ? undefined : { speaker, text };
}

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const anyDay = new RegExp(String.raw`(?<![\d-])${day}(?![\d])`);
// after the sign of a list, a box to tick, and what makes it bold
const firstDay = new RegExp(String.raw`^(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?[*_[(]{0,4}(${day})(?!\d)`);

export function dayIn(text: string): string {
  return anyDay.exec(text)?.[0] ?? "";
}

export function dayAtStart(text: string): string {
  return firstDay.exec(text)?.[1] ?? "";
}

/** Above the text, between dashes, stands what the file is about. */
export function readFrontmatter(lines: readonly string[]): { lines: number; title: string; day: string } {
  const last = isDashes(lines[0]) ? lines.findIndex((line, at) => at > 0 && isDashes(line)) : -1;
  const fields = lines.slice(1, Math.max(1, last));
  // between two lines across the page may also stand text
  const isText = (line: string) => !/^(?:[a-z][\w-]*:(?:\s|$)|\s|- |#|$)/.test(line);
  if (!/^[a-z]/.test(fields[0] ?? "") || fields.some(isText)) return { lines: 0, title: "", day: "" };
  const fieldOf = (field: RegExp) => fields.flatMap((line) => field.exec(line)?.[1] ?? [])[0] ?? "";
  return {
    lines: last + 1,
    title: fieldOf(/^title:\s+(.*)$/).replace(/^(["'])(.*)\1\s*$/, "$2"),
    day: dayIn(fieldOf(/^(?:date|created):\s*(.*)$/)),
  };
}

function isDashes(line: string | undefined): boolean {
  return line?.trimEnd() === "---";
}
