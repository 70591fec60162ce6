import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readQuestion } from "./read-question.ts";

function consoleWith(input: PassThrough & { isTTY?: boolean }, hasInput = true) {
  const output = new PassThrough();
  return { input, hasInput, output, errors: output, colors: false, onInterrupt: () => () => undefined };
}

function read(words: string[], piped: string | Buffer) {
  const input = new PassThrough();
  input.end(piped);
  return readQuestion(consoleWith(input), words);
}

test("what is piped in goes along as a file behind the question", async () => {
  const { text, attachments, notes } = await read(["what", "is", "this"], "a log\n");
  expect({ text, notes }).toEqual({ text: "what is this", notes: [] });
  expect(attachments).toEqual([{ name: "input.txt", mediaType: "text/plain", base64: btoa("a log\n") }]);
});

test.each([[[]], [["-"]]])("without a question the input is the question: %j", async (words) => {
  expect(await read(words, " line one\nline two\n")).toEqual({
    text: "line one\nline two",
    attachments: [],
    notes: [],
  });
});

test("a dash inside a question is part of it", async () => {
  expect((await read(["5", "-", "3"], "")).text).toBe("5 - 3");
});

test("an empty input adds nothing", async () => {
  expect(await read(["hi"], "\n")).toEqual({ text: "hi", attachments: [], notes: [] });
});

test.each([
  ["more than 1 MB", "x".repeat(1_000_001), "The input is larger than 1 MB"],
  ["bytes that are no text", Buffer.from([0x89, 0x50, 0xff]), "The input is not text."],
])("%s are refused with what to do instead", async (_what, piped, problem) => {
  await expect(read(["hi"], piped)).rejects.toThrow(problem);
  await expect(read(["hi"], piped)).rejects.toThrow("Save it in the workspace and ask about the file.");
});

test("an input on which nothing comes is left out, and the person is told", async () => {
  const { attachments, notes } = await readQuestion(consoleWith(new PassThrough()), ["hi"], 10);
  expect(attachments).toEqual([]);
  expect(notes).toEqual([expect.stringContaining("the question goes without it")]);
});

test("a slow input is awaited when the last word is a dash", async () => {
  const input = new PassThrough();
  const question = readQuestion(consoleWith(input), ["hi", "-"], 0);
  setTimeout(() => input.end("late"), 30);
  expect((await question).attachments).toMatchObject([{ base64: btoa("late") }]);
});

test.each([
  ["a terminal", Object.assign(new PassThrough(), { isTTY: true }), true],
  ["/dev/null", new PassThrough(), false],
])("%s is not read at all", async (_what, input, hasInput) => {
  expect(await readQuestion(consoleWith(input, hasInput), ["hi"])).toEqual({ text: "hi", attachments: [], notes: [] });
});
