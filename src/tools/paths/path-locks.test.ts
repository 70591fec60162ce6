import { expect, test } from "vitest";
import { lockKey, openPathLocks } from "./path-locks.ts";

test("work on one path runs in the order in which it came, also after a failure", async () => {
  const locks = openPathLocks();
  const steps: string[] = [];
  const first = locks.hold("a", async () => {
    await new Promise((later) => setTimeout(later, 20));
    steps.push("first");
    throw new Error("planned");
  });
  const second = locks.hold("a", async () => steps.push("second"));
  await expect(first).rejects.toThrow("planned");
  await second;
  expect(steps).toEqual(["first", "second"]);
});

test("work on another path does not wait", async () => {
  const locks = openPathLocks();
  const never = Promise.withResolvers<void>();
  const blocked = locks.hold("a", () => never.promise);
  expect(await locks.hold("b", async () => "done")).toBe("done");
  never.resolve();
  await blocked;
});

test("two spellings of one name are one lock", () => {
  const [composed, decomposed] = ["Caf\u00e9", "cafe\u0301"].map((name) =>
    lockKey({ root: "/w", parts: [name], prefix: "" }),
  );
  expect(composed).toBe(decomposed);
});
