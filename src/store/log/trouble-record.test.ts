import { expect, test } from "vitest";
import { storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openTroubleRecord } from "./trouble-record.ts";

test("what goes wrong is kept with its reason and where it came from, and the same thing not over and over", async () => {
  const { log } = await storeIn(await temporaryFolder());
  let [nowMs, told] = [0, 0];
  const record = openTroubleRecord({
    nowMs: () => nowMs,
    tell: () => void told++,
    redact: (text) => text.replace("sk-1", "…"),
  });
  record.add("The mail could not be fetched.", new Error("no route to host for sk-1"));
  record.writeTo(log);
  for (let round = 0; round < 100; round++) record.add("The mail could not be fetched.", new Error("still none"));
  nowMs += 3_600_000;
  record.add("The mail could not be fetched.", "odd");
  await log.append([]);
  expect(told).toBe(102);
  const events = await log.since(0, 100);
  expect(events).toMatchObject([
    {
      type: "trouble.met",
      message: "The mail could not be fetched.",
      reason: "no route to host for …",
      stack: expect.stringContaining("trouble-record.test.ts"),
    },
    { type: "trouble.met", reason: "odd" },
  ]);
});
