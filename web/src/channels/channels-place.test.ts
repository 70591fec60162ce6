import { expect, test } from "vitest";
import { readRoute } from "../app/route.ts";
import { newGroupPath, readPlace } from "./channels-place.ts";

const pages = [{ path: "channels", title: "", icon: "", about: "", tag: "", load: async () => {} }];
const placeAt = (path: string) => readPlace(readRoute(pages, path).rest);

test("each part of the page has an address", () => {
  expect(placeAt("/channels")).toEqual({ view: "all", open: undefined });
  expect(placeAt("/channels/slack")).toEqual({ view: "all", open: "slack" });
  expect(placeAt("/channels/group/family")).toEqual({ view: "group", name: "family" });
});

test("a chat whose id holds slashes and signs is still found by its address", () => {
  const address = { chat: "a/b#c d%", thread: "?7" };
  expect(placeAt(newGroupPath("discord", address))).toEqual({ view: "new group", channel: "discord", ...address });
  expect(placeAt(newGroupPath("telegram", { chat: "-100" }))).toMatchObject({ chat: "-100", thread: undefined });
});

test("an address that names nothing shows everything", () => {
  expect(placeAt("/channels/pigeon")).toEqual({ view: "all", open: undefined });
  expect(placeAt("/channels/toString")).toEqual({ view: "all", open: undefined });
});
