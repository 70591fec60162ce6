export type JsonMistake = { line: number; column: number; message: string };

type Expectation = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";
type Bracket = "{" | "[";
type Token = { kind: "text" | "value" | "mark"; text: string };

/** Where a text stops being JSON, which JSON.parse tells for some mistakes only; undefined when it is JSON. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const open: Bracket[] = [];
  let expected: Expectation = "value";
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const token = tokenAt(text, position);
    const next: Expectation | undefined = token && follow(expected, token, open);
    if (!token || !next) return mistakeAt(text, position, describeFound(text, position, inWords(expected, open)));
    expected = next;
    position = skipSpace(text, position + token.text.length);
  }
  if (expected === "nothing") return undefined;
  return mistakeAt(text, text.length, `the file ends here, but ${inWords(expected, open)} is expected`);
}

function follow(expected: Expectation, token: Token, open: Bracket[]): Expectation | undefined {
  if (expected.endsWith("or end") && token.text === closing(open)) {
    open.pop();
    return afterValue(open);
  }
  if (expected.startsWith("value")) return begin(token, open);
  if (expected.startsWith("key")) return token.kind === "text" ? "colon" : undefined;
  if (expected === "colon") return token.text === ":" ? "value" : undefined;
  if (expected !== "comma or end" || token.text !== ",") return undefined;
  return open.at(-1) === "{" ? "key" : "value";
}

function begin(token: Token, open: Bracket[]): Expectation | undefined {
  if (token.kind !== "mark") return afterValue(open);
  if (token.text !== "{" && token.text !== "[") return undefined;
  open.push(token.text);
  return token.text === "{" ? "key or end" : "value or end";
}

function afterValue(open: readonly Bracket[]): Expectation {
  return open.length === 0 ? "nothing" : "comma or end";
}

function closing(open: readonly Bracket[]): "}" | "]" {
  return open.at(-1) === "{" ? "}" : "]";
}

function inWords(expected: Expectation, open: readonly Bracket[]): string {
  const words = {
    value: "a value",
    "value or end": "a value or ]",
    key: "a key in double quotes",
    "key or end": "a key in double quotes or }",
    colon: "a colon",
    "comma or end": `a comma or ${closing(open)}`,
    nothing: "nothing more",
  } satisfies Record<Expectation, string>;
  return words[expected];
}

function describeFound(text: string, position: number, expected: string): string {
  if (/^(?:\/\/|\/\*|#)/.test(text.slice(position, position + 2))) return "comments are not allowed in JSON";
  const found = String.fromCodePoint(text.codePointAt(position) ?? 0);
  return `${expected} is expected, not ${JSON.stringify(found)}`;
}

function tokenAt(text: string, position: number): Token | undefined {
  const patterns = {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON text must not hold them
    text: /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y,
    value: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y,
    mark: /[{}[\],:]/y,
  };
  for (const kind of ["text", "value", "mark"] as const) {
    const pattern = patterns[kind];
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found };
  }
  return undefined;
}

function skipSpace(text: string, position: number): number {
  const space = /[ \t\r\n]*/y;
  space.lastIndex = position;
  return position + (space.exec(text)?.[0].length ?? 0);
}

function mistakeAt(text: string, position: number, message: string): JsonMistake {
  const before = text.slice(0, position).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, message };
}
