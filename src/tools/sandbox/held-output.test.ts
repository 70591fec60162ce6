import { expect, test } from "vitest";
import { openCommandOutput } from "./command-output.ts";
import { openHeldOutput } from "./held-output.ts";

async function heard(answers: readonly boolean[], pieces: readonly string[]): Promise<string> {
  const output = openCommandOutput(1_000);
  const left = [...answers];
  const held = openHeldOutput(output, async () => left.shift() ?? false);
  for (const piece of pieces) {
    held.add("out", Buffer.from(piece));
    await new Promise(setImmediate);
  }
  await held.end(Promise.resolve(true));
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
  await held.end(Promise.resolve(true));
  output.end();
  let text = "";
  for await (const piece of output.pieces) text += piece.text;
  expect(text).toBe("before");
});

test("a look that breaks off is not clear", async () => {
  const output = openCommandOutput(1_000);
  const held = openHeldOutput(output, () => Promise.reject(new Error("the thread has ended")));
  held.add("out", Buffer.from("secret"));
  await held.end(Promise.resolve(true));
  expect([output.bytesSeen(), held.bytesSeen()]).toEqual([0, 0]);
});

test("of what waits for the last look nothing counts twice", async () => {
  const output = openCommandOutput(5);
  const held = openHeldOutput(output, async () => true);
  held.endsSoon();
  held.add("out", Buffer.from("123456"));
  held.countTo(9);
  await held.end(Promise.resolve(true));
  output.end();
  let text = "";
  for await (const piece of output.pieces) text += piece.text;
  expect([text, output.bytesSeen()]).toEqual(["12345", 9]);
});

test("what waits for the last look is gone if that is not clear", async () => {
  const output = openCommandOutput(100);
  const held = openHeldOutput(output, async () => true);
  held.endsSoon();
  held.add("out", Buffer.from("secret"));
  await held.end(Promise.resolve(false));
  expect([output.bytesSeen(), held.bytesSeen()]).toEqual([0, 0]);
});

test("a look that is still going on when the last one is asked for is followed by no other", async () => {
  const output = openCommandOutput(100);
  const looks: ((isClear: boolean) => void)[] = [];
  const held = openHeldOutput(output, () => new Promise((resolve) => looks.push(resolve)));
  held.add("out", Buffer.from("one "));
  held.endsSoon();
  held.add("out", Buffer.from("two"));
  const ending = held.end(Promise.resolve(true));
  looks[0]?.(true);
  await ending;
  output.end();
  let text = "";
  for await (const piece of output.pieces) text += piece.text;
  expect([text, looks.length]).toEqual(["one two", 1]);
});

test("however much waits, another piece costs no more", () => {
  const held = openHeldOutput(openCommandOutput(1_000_000), () => new Promise(() => {}));
  const piece = Buffer.from("x");
  const beganAtMs = performance.now();
  for (let count = 0; count < 60_000 && !held.wasCut(); count++) held.add("out", piece);
  expect(held.bytesSeen()).toBe(60_000);
  // adding them all up each time takes half a minute
  expect(performance.now() - beganAtMs).toBeLessThan(3_000);
});
