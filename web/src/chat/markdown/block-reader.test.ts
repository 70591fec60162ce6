import { expect, test } from "vitest";
import { type Block, openBlockReader } from "./block-reader.ts";

const answer = `# Plan

See [the guide][guide] and [this](https://example.com).

[guide]: https://example.com/guide

- one
- two
  - nested

  still two

- three

\`\`\`ts
const a = 1;

// a fence in a string: "~~~"
\`\`\`

| a | b |
|---|---|
| 1 | **2** |

> quoted
> on

Setext
======

text
1. first
2. second

<b>html</b>

- [x] done
- [ ] open

Last words without an end`;

type Shown = readonly Block[];
function afterReading(pieces: readonly string[], finish = true): Shown {
  const reader = openBlockReader();
  let shown: Shown = [];
  let text = "";
  const steps = finish ? [...pieces, ""] : pieces;
  steps.forEach((piece, index) => {
    text += piece;
    const { kept, fresh } = reader.read(text, finish && index === steps.length - 1);
    shown = [...shown.slice(0, kept), ...fresh];
  });
  return shown;
}
function cut(text: string, seed: number): string[] {
  const pieces: string[] = [];
  let random = seed;
  for (let at = 0; at < text.length; ) {
    random = (random * 1103515245 + 12345) % 2147483648;
    const length = 1 + (random % 17);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

test("an answer written in any pieces ends as if it had come whole", () => {
  const whole = afterReading([answer]);
  for (let seed = 1; seed <= 60; seed += 1) expect(afterReading(cut(answer, seed)), `seed ${seed}`).toEqual(whole);
  expect(afterReading([...answer])).toEqual(whole);
});
test("while it is written it already looks as it would if it ended here, but for addresses given later", () => {
  const text = answer.slice(answer.indexOf("- one"));
  for (let length = 1; length <= text.length; length += 7) {
    const soFar = text.slice(0, length);
    expect(afterReading(cut(soFar, length), false), JSON.stringify(soFar.slice(-20))).toEqual(afterReading([soFar]));
  }
});
test("finished blocks are not read again", () => {
  const reader = openBlockReader();
  reader.read("one\n\ntwo\n\nth", false);
  expect(reader.read("one\n\ntwo\n\nthree", false)).toEqual({
    kept: 2,
    fresh: [{ kind: "markup", raw: "three", html: "<p>three</p>\n" }],
  });
});
test("nothing changes when the finished text is what was written", () => {
  const reader = openBlockReader();
  reader.read("one\n\ntwo", false);
  expect(reader.read("one\n\ntwo", true)).toEqual({ kept: 2, fresh: [] });
});
test("a text that begins anew is read anew", () => {
  const reader = openBlockReader();
  reader.read("one\n\ntwo\n\nthree", false);
  expect(reader.read("other", false)).toMatchObject({ kept: 0, fresh: [{ html: "<p>other</p>\n" }] });
});
test("a link finds its address wherever it is given", () => {
  const [first] = afterReading(["[guide][g]\n\n", "more\n\n", "[g]: https://example.com\n"]);
  expect(first).toMatchObject({ html: '<p><a href="https://example.com/">guide</a></p>\n' });
});
test("code keeps its text as it is, and names its language", () => {
  expect(afterReading(['```html title="x"\n<b>&amp;</b>\n```'])).toMatchObject([
    { kind: "code", language: "html", text: "<b>&amp;</b>" },
  ]);
});
test("a task list shows boxes as characters, not as controls", () => {
  const [list] = afterReading(["- [x] done\n- [ ] open"]);
  expect(list).toMatchObject({ html: expect.not.stringContaining("<input") });
  expect(list).toMatchObject({ html: expect.stringContaining("☑ done") });
});
