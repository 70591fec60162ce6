import { expect, test } from "vitest";
import { openSealed, sealPress } from "./reply-topic.ts";

const key = Buffer.alloc(32, 7);

test.each(["approve a1", "  with spaces  ", "jä · 好", "a.b.c", ""])(
  "the press %j comes back as it was offered",
  (press) => {
    expect(openSealed(key, sealPress(key, press))).toBe(press);
  },
);

test("what the phone posts is one word, which no server trims", () => {
  expect(sealPress(key, " deny a1\n")).toMatch(/^[\w-]+\.[\w-]+$/);
});

test("nothing but what was sealed with the same key is a press", () => {
  const sealed = sealPress(key, "approve a1");
  const [seal, press] = sealed.split(".");
  const foreign = sealPress(Buffer.alloc(32, 8), "approve a1");
  const another = Buffer.from("approve a2").toString("base64url");
  for (const posted of [
    foreign,
    `${seal}.${another}`,
    `.${press}`,
    `${seal}`,
    `${seal?.slice(1)}.${press}`,
    "",
    ".",
    "ü.ü",
  ])
    expect(openSealed(key, posted), posted).toBeUndefined();
});
