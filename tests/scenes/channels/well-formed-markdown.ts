// Answers as a model might write them, of which every visible word is known.

export type Answer = { markdown: string /** In the order in which they are read. */; words: readonly string[] };

/** The same number gives the same answer. */
export function wellFormedAnswer(seed: number): Answer {
  const words: string[] = [];
  const random = numbersFrom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const pick = <Choice>(...choices: readonly Choice[]) => choices[below(choices.length)] as Choice;
  const markdown = Array.from({ length: 1 + below(12) }, () => block(0)).join("\n\n");
  return { markdown, words };

  function word(): string {
    const made = `${pick("word", "слово", "שלום", "言葉", "Größe", "e\u0301t", "x")}${words.length}z`;
    words.push(made);
    return made;
  }

  function some(count: number): string {
    return Array.from({ length: count }, () => piece()).join(" ");
  }

  function piece(): string {
    switch (below(12)) {
      case 0:
        return `**${word()} ${word()}**`;
      case 1:
        return `*${word()}*`;
      case 2:
        return `~~${word()}~~`;
      case 3:
        return `\`${word()} ${pick("<b>", "a|b", "**", "_", "&amp;")}\``;
      case 4:
        return `[${word()} *${word()}*](https://example.com/${pick("a_b", "(c)", "d?e=1&f=2", "g#h")})`;
      case 5:
        return `**${word()} *${word()}* ${word()}**`;
      case 6:
        return `![${word()}](https://example.com/picture.png)`;
      case 7:
        return `${word()} ${pick("👨‍👩‍👧‍👦", "&", "<", "2 * 3", "snake_case", "\\*", "—", "5 > 4", "$1", "#tag", "@everyone")}`;
      case 8:
        return `<${pick("b", "details", "!-- ")}${word()}>`;
      default:
        return word();
    }
  }

  function block(depth: number): string {
    switch (below(depth > 1 ? 4 : 9)) {
      case 0:
      case 1:
        return some(1 + below(pick(10, 60, 400)));
      case 2:
        return `${"#".repeat(1 + below(6))} ${some(1 + below(4))}`;
      case 3:
        return code();
      case 4:
        return list(depth, () => pick("- ", "* "));
      case 5:
        return list(depth, (index) => `${index + 1}. `);
      case 6:
        return table();
      case 7:
        return indented(Array.from({ length: 1 + below(3) }, () => block(depth + 1)).join("\n\n"), "> ", "> ");
      default:
        return list(depth, () => pick("- [x] ", "- [ ] "));
    }
  }

  function code(): string {
    const lines = Array.from(
      { length: 1 + below(pick(5, 200)) },
      () => `  ${word()} ${pick("<b>", "``", "&", "|")} ${word()}`,
    );
    return `\`\`\`${pick("", "ts", "c++")}\n${lines.join("\n")}\n\`\`\``;
  }

  function list(depth: number, markOf: (index: number) => string): string {
    const mark = markOf(0);
    const points = Array.from({ length: 1 + below(pick(4, 80)) }, (_, index) => {
      const own = mark.startsWith("1") ? `${index + 1}. ` : mark;
      const rest = " ".repeat(own.startsWith("- [") ? 2 : own.length);
      const said = some(1 + below(8));
      const inner = depth < 2 && below(8) === 0 ? `\n${list(depth + 1, markOf)}` : "";
      return indented(`${said}${inner}`, own, rest);
    });
    return points.join("\n");
  }

  function table(): string {
    const columns = 1 + below(4);
    const row = () =>
      `| ${Array.from({ length: columns }, () => some(1 + below(2)).replaceAll("|", "\\|")).join(" | ")} |`;
    const header = row();
    const rows = Array.from({ length: below(pick(4, 90)) }, row);
    return [header, `|${" --- |".repeat(columns)}`, ...rows].join("\n");
  }
}

function indented(text: string, first: string, rest: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? first : rest) + line)
    .join("\n");
}

/** Heaps of marks that mean nothing together. */
export function heapOfMarks(seed: number): string {
  const random = numbersFrom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const count = 1 + below(below(10) === 0 ? 2_000 : 80);
  return Array.from({ length: count }, () => marks[below(marks.length)]).join(["", "", " ", "\n"][below(4)]);
}

// biome-ignore format: one line a kind is easier to read
const marks = [
  "*", "**", "***", "_", "__", "~", "~~", "`", "``", "```", "```ts\n", "\n```\n", "[", "]", "](", ")", "(https://e.org)", "![",
  "> ", ">", "- ", "1. ", "  - ", "    ", "\t", "# ", "### ", "|", "\n|-|-|\n", "| a | b |\n", "---", "\n===\n", "\n", "\n\n", "\r\n", " ",
  "<", "<b>", "</b>", "<!--", "-->", "<a href='x'>", "<@1>", "<!channel>", "@everyone", "@here", "&", "&lt;", "&#0;", "&#xD800;", "\\", "\\*",
  "a", "word", "слово", "言葉", "שלום", "👨‍👩‍👧‍👦", "\ud83d", "\ude00", "e\u0301", "\u200d", "\u0000", "\u2028", "https://e.org/a_b", "www.e.org",
  "ada@e.org", "[x](javascript:go)", "[x]: y", "[^1]", "$", "- [x] ", "x".repeat(300), "&".repeat(100),
];

function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
