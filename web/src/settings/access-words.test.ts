import { expect, test } from "vitest";
import type { AccessToken } from "../../../src/contract/wire/access.ts";
import { sortByUse, useWords } from "./access-words.ts";

const now = Date.UTC(2026, 10, 15, 12);
const token: AccessToken = { id: "1", name: "Phone", scope: "read", kind: "token", createdAtMs: now - 1e9 };

test("a token says when it was last used and when it runs out", () => {
  expect(useWords(token, now)).toBe("never used");
  expect(useWords({ ...token, lastUsedAtMs: now - 180_000 }, now)).toBe("last used 3 min ago");
  expect(useWords({ ...token, expiresAtMs: now - 1 }, now)).toMatch("never used, ran out on");
});

test("what was used last stands first", () => {
  const tokens = [token, { ...token, id: "2", lastUsedAtMs: 5 }, { ...token, id: "3", lastUsedAtMs: 9 }];
  expect(sortByUse(tokens).map((one) => one.id)).toEqual(["3", "2", "1"]);
});
