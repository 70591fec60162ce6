// The part of YAML that heads of Markdown files are written in: keys with text, lists or further keys. What goes beyond it is
// a mistake with its line, so that a file never means something else here than for other programs.

export type FieldValue = string | readonly FieldValue[] | { readonly [key: string]: FieldValue };
export type Field = { value: FieldValue; line: number };
export type Fields = ReadonlyMap<string, Field>;
export type Mistake = { mistake: string; line: number };
/** What is understood here although other programs may refuse it. */
export type FieldNote = { note: string; line: number };
export type ReadFields = { fields: Fields; notes: readonly FieldNote[] };

type Line = { text: string; number: number };

const mostDepth = 8;

export function readYamlFields(lines: readonly string[], firstLine: number): ReadFields | Mistake {
  const numbered = lines.map((text, index) => ({ text: text.trimEnd(), number: firstLine + index }));
  const tabbed = numbered.find(({ text }) => /^ *\t/.test(text));
  return tabbed ? mistakeIn(tabbed, "begins with a tab; use spaces") : readLevel(numbered, mostDepth);
}

function readLevel(lines: readonly Line[], depth: number): ReadFields | Mistake {
  const fields = new Map<string, Field>();
  const notes: FieldNote[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line;
    at += 1;
    if (isBlank(line.text)) continue;
    const key = /^([A-Za-z][A-Za-z0-9_.-]*):(?=\s|$)/.exec(line.text)?.[1];
    const written = line.text.slice((key?.length ?? 0) + 1).trimStart();
    if (key === undefined) return mistakeIn(line, "is not of the form key: value");
    if (fields.has(key)) return { mistake: `${key} stands there twice`, line: line.number };
    const from = at;
    while (at < lines.length && belongs((lines[at] as Line).text, written)) at += 1;
    const read = readValue(key, written.trim(), { line, below: lines.slice(from, at) }, depth);
    if ("mistake" in read) return read;
    fields.set(key, { value: read.value, line: line.number });
    notes.push(...read.notes);
  }
  return { fields, notes };
}

/** Lines under a key are indented; only the dashes of a list may stand under the key itself. */
function belongs(text: string, written: string): boolean {
  return text === "" || /^[ \t]/.test(text) || (written.trim() === "" && /^- /.test(text));
}

type Place = { line: Line; below: readonly Line[] };
type ReadValue = { value: FieldValue; notes: readonly FieldNote[] } | Mistake;

function readValue(key: string, written: string, { line, below }: Place, depth: number): ReadValue {
  const first = written[0];
  if (first === "|" || first === ">") {
    if (!/^[|>][-+]?\d?[-+]?(?:\s+#.*)?$/.test(written)) return mistakeIn(line, `goes on after the ${first} of ${key}`);
    return { value: readBlock(below, first === ">"), notes: [] };
  }
  if (written === "" || first === "#") return readBelow(below, depth);
  const whole = [written, ...below.map(({ text }) => text.trim())].join(" ").trim();
  if (first === '"' || first === "'") return readQuoted(key, whole, line);
  if (first === "[") return readList(key, whole, line);
  // other programs keep what is theirs in such values; nothing here needs a look inside
  if (first === "{") {
    return whole.endsWith("}") ? { value: whole, notes: [] } : mistakeIn(line, `does not close the { of ${key}`);
  }
  if (/^[&*!%@`]/.test(written)) return mistakeIn(line, `has a value that begins with ${first}; put it in quotes`);
  const value = withoutComment(whole);
  const note = `other programs take the “: ” in the value of ${key} for a new key`;
  return { value, notes: /:(?:\s|$)/.test(value) ? [{ note, line: line.number }] : [] };
}

/** `|` keeps lines, `>` joins them; an empty line ends a paragraph in both. */
function readBlock(below: readonly Line[], joins: boolean): string {
  const filled = below.filter(({ text }) => text !== "");
  const indent = Math.min(...filled.map(indentOf));
  const text = below.map((line) => line.text.slice(indent)).join("\n");
  return (joins ? text.replace(/(?<!\n)\n(?!\n)/g, " ").replaceAll("\n\n", "\n") : text).trim();
}

function readBelow(below: readonly Line[], depth: number): ReadValue {
  const filled = below.filter(({ text }) => !isBlank(text));
  const [first] = filled;
  if (!first) return { value: "", notes: [] };
  if (depth === 0) return mistakeIn(first, "lies too deep");
  if (/^\s*- /.test(first.text)) {
    const other = filled.find(({ text }) => !/^\s*- /.test(text));
    if (other) return mistakeIn(other, "does not begin with a dash, as the others of its list do");
    return { value: filled.map(({ text }) => unquoted(text.replace(/^\s*- +/, ""))), notes: [] };
  }
  const indent = indentOf(first);
  const outside = filled.find((line) => indentOf(line) < indent);
  if (outside) return mistakeIn(outside, "is indented less than the line above it");
  const inner = readLevel(
    below.map(({ text, number }) => ({ text: text.slice(indent), number })),
    depth - 1,
  );
  if ("mistake" in inner) return inner;
  return { value: Object.fromEntries([...inner.fields].map(([key, { value }]) => [key, value])), notes: inner.notes };
}

function readQuoted(key: string, whole: string, line: Line): ReadValue {
  const closed = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?:#.*)?$/s.exec(whole)?.[1];
  if (closed === undefined) return mistakeIn(line, `does not close the quotes of ${key}, or goes on after them`);
  const value = unquote(closed);
  return value === undefined ? mistakeIn(line, `has an unknown \\ in the quotes of ${key}`) : { value, notes: [] };
}

function readList(key: string, whole: string, line: Line): ReadValue {
  const inside = /^\[([^[\]]*)\]\s*(?:#.*)?$/s.exec(whole)?.[1];
  if (inside === undefined) return mistakeIn(line, `does not close the [ of ${key}, or has another inside of it`);
  const items = inside.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s][^,]*/g) ?? [];
  return { value: items.map(unquoted), notes: [] };
}

function unquoted(item: string): string {
  const text = item.trim();
  return /^(["']).*\1$/s.test(text) && text.length > 1 ? (unquote(text) ?? text) : withoutComment(text);
}

// by hand: on very many spaces a pattern that ends with the line begins anew at each of them
function withoutComment(text: string): string {
  for (let at = text.indexOf("#"); at !== -1; at = text.indexOf("#", at + 1))
    if (at === 0 || /\s/.test(text[at - 1] ?? "")) return text.slice(0, at).trim();
  return text.trim();
}

function unquote(quoted: string): string | undefined {
  if (quoted.startsWith("'")) return quoted.slice(1, -1).replaceAll("''", "'");
  try {
    return String(JSON.parse(quoted.replaceAll("\t", " ")));
  } catch {
    // an escape that JSON does not know
    return undefined;
  }
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length;
}

function isBlank(text: string): boolean {
  return /^\s*(?:#.*)?$/.test(text);
}

function mistakeIn({ number }: Line, what: string): Mistake {
  return { mistake: `line ${number} ${what}`, line: number };
}
