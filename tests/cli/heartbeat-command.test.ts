import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

test("steward heartbeat says how it stands, takes a note, and tells who looks at it", async () => {
  const home = await temporaryFolder();
  const heartbeat = { activeHours: "22:30-6", intervalMinutes: 60 };
  await writeFile(join(home, "config.json"), JSON.stringify({ models: { probeLocal: false }, heartbeat }));
  const run = (...args: string[]) => runSteward({ home, args: ["heartbeat", ...args] });
  expect(await run("tell", "The", "plumber", "comes.")).toMatchObject({
    ...{
      code: 0,
      output: expect.stringMatching(/^Noted\. The next look is \w{3} \d+ \w{3} \d\d:30 at the latest\.\n$/),
    },
  });
  expect(await run()).toMatchObject({
    code: 0,
    output:
      "Heartbeat every 1 h from 22:30 to 6, but no language model is connected: nobody looks.\nWaiting to be told: 1.\n",
  });
  const { output } = await run("now", "--json");
  expect(JSON.parse(output)).toEqual({ words: expect.stringContaining("No language model is connected") });
});
