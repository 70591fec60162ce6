// One whole walk in Debian's Firefox, which has no pointer here but keys: what is typed goes where it should.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { type Firefox, openFirefox } from "../scenes/page/firefox.ts";
import { ensurePage, type RunningSteward, startSteward } from "../scenes/page/page-scene.ts";
import { findStrayScrollers } from "../scenes/page/scrollers.ts";

const note = [
  { text: "One moment.", toolCalls: [{ name: "write", arguments: { path: "bins.txt", content: "Tuesday\n" } }] },
  { text: "Noted for Tuesday." },
];
const composed = `all("textarea").map((one) => one.value)`;

let firefox: Firefox;
let assistant: RunningSteward;

beforeAll(async () => {
  await ensurePage();
  assistant = await startSteward({ scripts: { "note the bins": note } });
  firefox = await openFirefox();
}, 180_000);
afterAll(async () => {
  await firefox.close();
  await assistant.close();
});

test("somebody signs in, types at once, approves, loads again and finds everything there", async () => {
  await firefox.goto(await assistant.link());
  await firefox.shows("What can I do for you?");
  await firefox.type("note the bins");
  expect(await firefox.evaluate(composed)).toEqual(["note the bins"]);
  await firefox.press("Enter");
  await firefox.shows("Write a file?");
  expect(existsSync(join(assistant.home, "workspace", "bins.txt"))).toBe(false);
  await firefox.click("Approve");
  await firefox.shows("Noted for Tuesday.");
  expect(existsSync(join(assistant.home, "workspace", "bins.txt"))).toBe(true);
  await firefox.reload();
  await firefox.shows("Noted for Tuesday.");
  await firefox.click("Inbox");
  await firefox.shows("Nothing waits for you");
  await firefox.click("note the bins");
  await firefox.shows("Noted for Tuesday.");
  // each of these letters is a shortcut while nobody is typing
  await firefox.type("n / ?");
  await eventually(() => firefox.evaluate(composed), ["n / ?"]);
  expect(await firefox.evaluate(findStrayScrollers)).toEqual([]);
});
