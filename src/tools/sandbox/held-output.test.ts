import { expect, test } from "vitest";
import { openCommandOutput } from "./command-output.ts";
import { openHeldOutput } from "./held-output.ts";

async function heard(answers: readonly boolean[], pieces: readonly string[]): Promise<string> {
  const output = openCommandOutput(1_000);
  const left = [...answers];
  const held = openHeldOutput(output, async () => left.shift() ?? false);
  for (const piece of pieces) {
    held.add("out", Buffer.from(piece));
    await held.settled();
  }
  output.end();
  let text = "";
  for await (const piece of output.pieces) text += piece.text;
  return text;
}

test("what was written before a look that is clear is given on", async () => {
  expect(await heard([true, true], ["one", "two"])).toBe("onetwo");
});

test("after a look that is not clear nothing is given on, whatever a later look says", async () => {
  expect(await heard([true, false, true], ["one", "two", "three"])).toBe("one");
});

test("what comes while a look goes on waits for the next one", async () => {
  const output = openCommandOutput(1_000);
  const looks: ((isClear: boolean) => void)[] = [];
  const held = openHeldOutput(output, () => new Promise((resolve) => looks.push(resolve)));
  held.add("out", Buffer.from("before"));
  held.add("out", Buffer.from("since"));
  expect([looks.length, held.bytesSeen()]).toEqual([1, 11]);
  looks[0]?.(true);
  await Promise.resolve();
  await Promise.resolve();
  expect(looks.length).toBe(2);
  looks[1]?.(false);
  await held.settled();
  output.end();
  let text = "";
  for await (const piece of output.pieces) text += piece.text;
  expect(text).toBe("before");
});
