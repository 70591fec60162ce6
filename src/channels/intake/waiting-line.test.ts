import { expect, test } from "vitest";
import { openWaitingLine } from "./waiting-line.ts";

test("one is done at a time, three more wait, and the next is refused until one of them is done", async () => {
  const line = openWaitingLine();
  const begun: { name: string; end(): void }[] = [];
  const begin = (name: string) =>
    line.run(() => new Promise<string>((resolve) => begun.push({ name, end: () => resolve(name) })));
  const names = ["one", "two", "three", "four"];
  const all = names.map(begin);
  await expect(begin("five")).rejects.toThrow("too many others wait for it");
  await Promise.resolve();
  expect(begun.map(({ name }) => name)).toEqual(["one"]);
  begun[0]?.end();
  expect(await all[0]).toBe("one");
  const six = begin("six");
  for (let at = 1; at < 5; at += 1) {
    expect(begun).toHaveLength(at + 1);
    begun[at]?.end();
    await (all[at] ?? six);
  }
  expect(begun.map(({ name }) => name)).toEqual([...names, "six"]);
});

test("one that fails is told to whoever asked for it, and keeps nobody from going on", async () => {
  const line = openWaitingLine();
  await expect(line.run(() => Promise.reject(new Error("no ears")))).rejects.toThrow("no ears");
  expect(await line.run(async () => "heard")).toBe("heard");
});
