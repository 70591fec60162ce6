import { expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { openRandom } from "../../../tests/scenes/sample.ts";
import { splitMarkdown } from "./split-markdown.ts";
import type { Unit } from "./unit.ts";

const unitsOf = (text: string, path = "memory/notes.md") => splitMarkdown(path, text).units;
const pick = (units: readonly Unit[], ...keys: (keyof Unit)[]) => units.map((unit) => keys.map((key) => unit[key]));

test("paragraphs, list items and lines below them are units with the lines they stand on", () => {
  const text =
    "# Home\n\nOne paragraph\nof two lines.\n\n- first\n- second\n  goes on\n  * nested\n1. third\n2) fourth\n";
  expect(pick(unitsOf(text), "text", "from", "to")).toEqual([
    ["One paragraph\nof two lines.", 3, 4],
    ["- first", 6, 6],
    ["- second\n  goes on", 7, 8],
    ["* nested", 9, 9],
    ["1. third", 10, 10],
    ["2) fourth", 11, 11],
  ]);
});

test("the title belongs to the beginning, the headings above to each piece below them", () => {
  const text = "# Home\nstart\n## Garden ##\na\n### Roses\nb\n#### Red\nc\n### Herbs\nd\n## Roof\ne\n# Second\nf";
  expect(pick(unitsOf(text), "text", "context")).toEqual([
    ["start", "Home"],
    ["a", "Garden"],
    ["b", "Garden Roses"],
    ["c", "Garden Roses Red"],
    ["d", "Garden Herbs"],
    ["e", "Roof"],
    ["f", "Second"],
  ]);
  expect(splitMarkdown("x.md", text).title).toBe("Home");
});

test("headings that leave out a level belong to what stands below them only", () => {
  const text = "### Deep\na\n#### Deeper\nb\n### Beside\nc\n## Up\nd";
  expect(pick(unitsOf(text), "text", "context")).toEqual([
    ["a", "Deep"],
    ["b", "Deep Deeper"],
    ["c", "Beside"],
    ["d", "Up"],
  ]);
});

test("a heading that nothing stands under is found by its own words", () => {
  expect(
    pick(unitsOf("# Ideas\n\n## Paint the fence\n\n## Call Anna\nsoon\n### Never mind"), "text", "context", "from"),
  ).toEqual([
    ["Paint the fence", "Ideas", 3],
    ["soon", "Call Anna", 6],
    ["Never mind", "Call Anna", 7],
  ]);
  expect(pick(unitsOf("\n\n# Only a title"), "text", "context", "from", "to")).toEqual([["Only a title", "", 3, 3]]);
});

test("a title that stands below the first words is about what comes after it", () => {
  expect(pick(unitsOf("before\n# Home\na\n\nb"), "text", "context")).toEqual([
    ["before", ""],
    ["a", "Home"],
    ["b", "Home"],
  ]);
});

test.each([
  [
    "Anna: Hello\nBen: Hi",
    [
      ["Anna", "Hello", 1, 1],
      ["Ben", "Hi", 2, 2],
    ],
  ],
  [
    "**Anna:** Hello\n__Ben__: Hi",
    [
      ["Anna", "Hello", 1, 1],
      ["Ben", "Hi", 2, 2],
    ],
  ],
  [
    "Anna Maria O'Neill: one\nand more\nBen: two",
    [
      ["Anna Maria O'Neill", "one\nand more", 1, 2],
      ["Ben", "two", 3, 3],
    ],
  ],
  [
    "Élise: oui\nÖmer : ja",
    [
      ["Élise", "oui", 1, 1],
      ["Ömer", "ja", 2, 2],
    ],
  ],
  ["It was like this:\nnobody spoke", [["", "It was like this:\nnobody spoke", 1, 2]]],
  ["anna: a name begins with a capital", [["", "anna: a name begins with a capital", 1, 1]]],
  ["Anna: one\nand\nmore", [["", "Anna: one\nand\nmore", 1, 3]]],
  ["- Anna: an item is an item", [["", "- Anna: an item is an item", 1, 1]]],
])("of %j each line that names a speaker is said by them", (text, expected) => {
  expect(pick(unitsOf(text), "speaker", "text", "from", "to")).toEqual(expected);
});

test("what stands above the text between dashes is about it, and the lines keep their numbers", () => {
  const file = splitMarkdown("x.md", '---\ntitle: "Trip"\ndate: 2026-05-02\ntags: [a]\n---\n\nWe went.\n');
  expect(file).toMatchObject({ title: "Trip", day: "2026-05-02" });
  expect(pick(file.units, "text", "context", "day", "from")).toEqual([["We went.", "Trip", "2026-05-02", 7]]);
});

test.each([
  "---\nnot closed: never\n\ntext",
  "---\nBetween two lines across the page.\n---\n",
  "---\nAnna: hello\nBen: hi\n---\nmore",
  "---\ntitle: x\nand text\n---\nmore",
])("%j has nothing above the text, and loses no word", (text) => {
  const found = unitsOf(text)
    .map((unit) => `${unit.speaker} ${unit.text}`)
    .join(" ");
  for (const word of text.match(/\w{2,}/g) ?? []) expect(found).toContain(word);
});

test("in a block of code nothing is a heading or an item, and blank lines do not end it", () => {
  const text = "Before\n\n```sh\n# no heading\n\n- no item\n```\n\nAfter";
  expect(pick(unitsOf(text), "text", "context", "from", "to")).toEqual([
    ["Before", "", 1, 1],
    ["```sh\n# no heading\n\n- no item\n```", "", 3, 7],
    ["After", "", 9, 9],
  ]);
});

test.each([
  ["````\n```\n# no\n```\n````\n# Yes\nx", "a longer fence holds shorter ones"],
  ["~~~\n```\n# no\n~~~\n# Yes\nx", "one of another sign does not close it"],
  ["```\n# no\n  ```  \n# Yes\nx", "the closing one may be moved in"],
  ["- ```\n  # no\n  ```\n# Yes\nx", "it may begin in an item"],
  ["```one line```\n# Yes\nx", "signs around words are no fence"],
])("after %j there are headings again: %s", (text) => {
  expect(splitMarkdown("x.md", text).title).toBe("Yes");
});

test("a block of code that is never closed ends with its last line", () => {
  expect(pick(unitsOf("```\na\n\nb\n\n\n"), "text", "from", "to")).toEqual([["```\na\n\nb", 1, 4]]);
});

test("lines across the page and below headings are no text", () => {
  expect(pick(unitsOf("one\n---\ntwo\n===\n\n* * *\n\n____\nthree"), "text", "from")).toEqual([
    ["one", 1],
    ["two", 3],
    ["three", 9],
  ]);
});

test.each([
  ["memory/2026-11-15.md", "x", "2026-11-15", "the name of the file"],
  ["memory/2026-11-15-trip.md", "# 2020-01-01\nx", "2026-11-15", "the file before its title"],
  ["2025-01-01/notes.md", "x", "", "not a folder"],
  ["memory/2026-13-40.md", "x", "", "not what is no day"],
  ["a.md", "# Trip on 2026-05-02\nx", "2026-05-02", "the title"],
  ["memory/2026-11-15.md", "## 2026-11-14 late\nx", "2026-11-14", "the heading above it"],
  ["a.md", "## 2026-11-14\n### Evening\nx", "2026-11-14", "a heading further above"],
  ["memory/2026-11-15.md", "## 2026-11-14\n- 2026-11-13: x", "2026-11-13", "the item itself"],
  ["a.md", "- [ ] **2026-11-13** x", "2026-11-13", "with a box and in bold"],
  ["a.md", "1. [2026-11-13] x", "2026-11-13", "in brackets"],
  ["a.md", "2026-11-13 – x", "2026-11-13", "a paragraph that begins with it"],
  ["a.md", "x on 2026-11-13", "", "not in the middle of a sentence"],
  ["a.md", "- 2026-99-99: x", "", "not if there is no such day"],
])("the day of %j with %j is %j: %s", (path, text, day) => {
  expect(unitsOf(text, path).at(-1)?.day).toBe(day);
});

test.each([
  ["- 2026-11-15: said so (from web:example.org)", ["web:example.org"]],
  ["- said so (from web:example.org, person:7 and file:a.txt)", ["web:example.org", "person:7", "file:a.txt"]],
  ["- said so (from upload:bill.pdf, 3 more).", ["upload:bill.pdf", "3 more"]],
  ["one (from web:a.org)\ntwo\nthree (from web:b.org)  ", ["web:a.org", "web:b.org"]],
  ["- a gift (from my aunt)", []],
  ["- open (from 9:30)", []],
  ["- (from web:example.org) is not where a source is told", []],
])("%j holds words of %j", (text, labels) => {
  expect(unitsOf(text)[0]?.labels).toEqual(labels);
});

test("what is long is cut, and each piece bears where its words come from", () => {
  const units = unitsOf(`- ${"A sentence of a stranger. ".repeat(200)}(from web:example.org)`);
  expect(units.length).toBeGreaterThan(2);
  expect(units.every(({ labels }) => labels[0] === "web:example.org")).toBe(true);
});

test("line ends of Windows and a byte order mark change nothing", () => {
  const text = "# T\n\none\ntwo\n\n- a (from web:x.org)\n- b\n\n```\nc\n\nd\n```\nAnna: e\n";
  expect(unitsOf(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(unitsOf(text));
});

const pieces = [
  ...[
    "# Title",
    "## Part",
    "### Deep ##",
    "#",
    "- item",
    "* item (from web:a.org)",
    "1. item",
    "  - nested",
    "Anna: hello",
  ],
  ...[
    "**Ben:** hi",
    "text",
    "more text",
    "",
    "",
    "  ",
    "```",
    "~~~",
    "```js",
    "````",
    "---",
    "===",
    "> quote",
    "| a | b |",
  ],
  ...[
    "    indented",
    "\tTab",
    "2026-11-15: dated",
    "- 2026-11-14: dated",
    "<!-- note -->",
    "é 日本語 😀",
    "# ",
    "-",
    "- ",
  ],
  ...[`long ${"words and ".repeat(300)}`, `😀${"😀".repeat(1_000)}`, "x".repeat(4_000)],
];

test("whatever a file holds, each unit stands in its lines, and no line with words is lost", () => {
  const random = openRandom();
  for (let round = 0; round < 2_000; round++) {
    const lines = Array.from({ length: Math.floor(random() * 14) }, (_, at) => {
      const piece = pieces[Math.floor(random() * pieces.length)] ?? "";
      return piece === "" ? "" : piece.replace(/text|item|hello|hi|Title|Part|Deep/, (word) => `${word}${at}`);
    });
    const text = lines.join(random() < 0.3 ? "\r\n" : "\n");
    expect(wrongIn(lines, text), text).toEqual([]);
  }
});

function wrongIn(lines: readonly string[], text: string): readonly string[] {
  const { units } = splitMarkdown("a.md", text);
  const shown = lines.map((line) => line.replace("<!-- note -->", ""));
  const all = sameSigns(units.flatMap((unit) => [unit.context, unit.speaker, unit.text]));
  const isWhole = ({ text, from, to }: (typeof units)[number]) =>
    text.isWellFormed() &&
    text.trim() !== "" &&
    to >= from &&
    sameSigns(shown.slice(from - 1, to)).includes(sameSigns([text]));
  return [
    ...units.filter((unit) => !isWhole(unit)).map((unit) => `not in its lines: ${unit.text}`),
    ...(text.match(/(?:text|item|hello|hi|Title|Part|Deep)\d+/g) ?? [])
      .filter((word) => !all.includes(word))
      .map((word) => `lost: ${word}`),
    ...["dated", "words"]
      .filter((word) => countOf(all, word) !== countOf(text, word))
      .map((word) => `not as often: ${word}`),
  ];
}

const sameSigns = (lines: readonly string[]) => lines.join("\n").replace(/\s+/g, " ").trim();
const countOf = (text: string, word: string) => text.split(word).length - 1;

test.each([
  ["spaces in a heading", `# a${" ".repeat(100_000)}b`],
  ["signs at the end of a heading", `# a${"#".repeat(100_000)} b`],
  ["signs and spaces", `## ${"# ".repeat(100_000)}b`],
  ["a line of dashes", `${"- ".repeat(100_000)}x`],
  ["spaces only", `${" ".repeat(200_000)}x`],
  ["names", `${"Anna ".repeat(50_000)}\n${"A".repeat(100_000)}`],
  ["sources", "(from web:a".repeat(20_000)],
  ["sources and spaces", `(from web:a)${" ".repeat(100_000)}x`],
  ["fences", "`".repeat(200_000)],
  ["days", "2026-11-15".repeat(20_000)],
  ["empty lines", "\n".repeat(200_000)],
  ["headings", "# a\n".repeat(20_000)],
  ["deeper and deeper", Array.from({ length: 20_000 }, (_, at) => `${"#".repeat((at % 6) + 1)} a`).join("\n")],
  ["one paragraph", "word\n".repeat(50_000)],
  ["no place to cut", "x".repeat(500_000)],
  ["stops", ".".repeat(300_000)],
  ["a talk in which few speak", `Anna: a\n${"b\nAnna: c\n".repeat(30_000)}`],
  ["frontmatter without end", `---\n${"a: b\n".repeat(50_000)}`],
])("%s make it no slower than the file is long", async (_, text) => {
  expect(await cpuMsOf(() => splitMarkdown("a.md", text))).toBeLessThan(1_500);
});
