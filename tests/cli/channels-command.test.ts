import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

test("without a Steward that runs, a channel that is on is said not to run, and a code where it is good", async () => {
  const home = await temporaryFolder();
  const channels = { telegram: { enabled: true } };
  await writeFile(join(home, "config.json"), JSON.stringify({ channels }), { mode: 0o600 });
  await mkdir(join(home, "workspace"));
  await writeFile(join(home, "workspace", ".env"), "TELEGRAM_BOT_TOKEN=123:abc\n", { mode: 0o600 });
  const run = (...args: string[]) => runSteward({ home, args: ["channels", ...args] });
  const listed = (await run()).output;
  expect(listed).toMatch(/^telegram +not running$/m);
  expect(listed).toContain("No Steward is running, so nothing is connected. Start one with: steward daemon\n");
  const paired = (await run("pair")).output;
  // a slow machine may have used a second of it
  expect(paired).toMatch(/Write this to your bot on Telegram within (?:1 h|59 min 5\d s)\./);
  expect(paired).toContain("Start one with: steward daemon\n");
  const other = await runSteward({ home, args: ["channels", "set-token", "TELEGRAM_BOT_TOKEN"], input: "456:def\n" });
  expect(other).toMatchObject({
    code: 1,
    errors: expect.stringContaining("in the .env of the workspace, which goes before"),
  });
});

test("a token that is surely another one is refused before it is kept, and nothing is changed", async () => {
  const home = await temporaryFolder();
  const give = (name: string, input: string) =>
    runSteward({ home, args: ["channels", "set-token", name], input: `${input}\n` });
  for (const [name, input] of [
    ["TELEGRAM_BOT_TOKEN", "hello"],
    ["SLACK_BOT_TOKEN", "xapp-1-A0-swapped"],
    ["SLACK_APP_TOKEN", "xoxb-1-swapped"],
  ] as const)
    expect(await give(name, input)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`That does not look like ${name}, which `),
    });
  expect(await give("SLACK_BOT_TOKEN", "xoxb-1-right")).toMatchObject({ code: 0 });
});
