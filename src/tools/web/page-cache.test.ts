import { expect, test } from "vitest";
import { openPageCache } from "./page-cache.ts";

function sceneCache() {
  const clock = { nowMs: 0 };
  const cache = openPageCache<string>({ nowMs: () => clock.nowMs }, { maxBytes: 100, keepMs: 1000 });
  return { clock, cache };
}

test("a page is forgotten at the very millisecond its time is over", () => {
  const { clock, cache } = sceneCache();
  cache.set("a", "A", 10);
  clock.nowMs = 999;
  expect(cache.get("a")).toBe("A");
  clock.nowMs = 1000;
  expect(cache.get("a")).toBeUndefined();
});

test("the oldest pages go when there is no more room, and one that is too large is never kept", () => {
  const { cache } = sceneCache();
  for (const key of ["a", "b", "c"]) cache.set(key, key, 40);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([undefined, "b", "c"]);
  cache.set("b", "new", 101);
  expect([cache.get("b"), cache.get("c")]).toEqual([undefined, "c"]);
});
