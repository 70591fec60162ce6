import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { readInstructions } from "./read-instructions.ts";

test.each([
  "",
  "\n \t\n",
  "\uFEFF# Heartbeat\n",
  "# Heartbeat\n\n## Mornings\n###### Deep\n#",
  "Heartbeat\n=========\n\nMornings\n--------\n",
  "<!-- look at the post -->",
  "# Heartbeat\n<!-- look\nat\n\nthe post -->\n",
  "<!-- one --> <!-- two\n -->\n<!-- never closed\n- look at the post",
  "-\n*\n+ \n1.\n2)\n- [ ]\n- [x]\n* []",
  "---\n***\n_ _ _\n",
  "> \n>\n",
  "```\n```\n",
  "\r\n# Heartbeat\r\n-\r\n",
])("%j asks for nothing", (text) => {
  expect(readInstructions(text)).toBe("");
});

test("the file that a new workspace begins with asks for nothing", async () => {
  const template = await readFile(new URL("../../workspace/templates/HEARTBEAT.md", import.meta.url), "utf8");
  expect(readInstructions(template)).toBe("");
});

test.each([
  ["look at the post", "look at the post"],
  ["# Heartbeat\n- look at the post\n", "# Heartbeat\n- look at the post"],
  ["- [ ] call the dentist", "- [ ] call the dentist"],
  ["1. post", "1. post"],
  ["#hashtag is no heading", "#hashtag is no heading"],
  ["- look at the post\n---\n", "- look at the post\n---"],
  ["<!-- not this --> but this", "but this"],
  ["- one\n<!-- two\n-->\n\n\n\n- three", "- one\n\n- three"],
  ["```\ndf -h\n```", "```\ndf -h\n```"],
])("%j asks for %j", (text, asked) => {
  expect(readInstructions(text)).toBe(asked);
});

test("no file makes reading it slow", async () => {
  const hostile = [
    "<!--".repeat(5_000),
    "> ".repeat(10_000),
    "- ".repeat(10_000),
    "\n".repeat(20_000),
    `${"_ ".repeat(9_999)}x`,
  ];
  for (const text of hostile) expect(await cpuMsOf(() => readInstructions(text))).toBeLessThan(1_000);
});
