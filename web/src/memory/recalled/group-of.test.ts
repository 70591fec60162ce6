import { expect, test } from "vitest";
import { shownGroup } from "../../../../tests/scenes/page/shown-channel.ts";
import { groupOf } from "./group-of.ts";

const groups = [shownGroup({ name: "family", conversation: "telegram--_2d_100" })];

test("what is said in a group's chat or in a thread of it is looked up in the memory of the group", () => {
  expect(groupOf("telegram--_2d_100", groups)).toBe("family");
  expect(groupOf("telegram--_2d_100--7", groups)).toBe("family");
});

test("a chat whose key only begins alike is not the group's", () => {
  expect(groupOf("telegram--_2d_1000", groups)).toBeUndefined();
  expect(groupOf("web--1", groups)).toBeUndefined();
});
