import { expect, test } from "vitest";
import { openCommandOutput } from "./command-output.ts";

async function textOf(output: ReturnType<typeof openCommandOutput>): Promise<string> {
  let text = "";
  for await (const piece of output.pieces) text += piece.text;
  return text;
}

test("what lies beyond the limit is dropped and still counted", async () => {
  const output = openCommandOutput(5);
  output.add("out", Buffer.from("abc"));
  output.add("err", Buffer.from("defg"));
  output.add("out", Buffer.from("hij"));
  output.end();
  expect(await textOf(output)).toBe("abcde");
  expect([output.bytesSeen(), output.wasCut()]).toEqual([10, true]);
});

test("output of exactly the limit is not cut", () => {
  const output = openCommandOutput(3);
  output.add("out", Buffer.from("abc"));
  expect(output.wasCut()).toBe(false);
});

test("a letter whose bytes come in two pieces is whole", async () => {
  const output = openCommandOutput(100);
  const bytes = Buffer.from("é");
  output.add("out", bytes.subarray(0, 1));
  output.add("err", Buffer.from("!"));
  output.add("out", bytes.subarray(1));
  output.end();
  expect(await textOf(output)).toBe("!é");
});

test("a reader that comes first waits for what follows", async () => {
  const output = openCommandOutput(100);
  const reading = textOf(output);
  await Promise.resolve();
  output.add("out", Buffer.from("late"));
  output.end();
  expect(await reading).toBe("late");
});
