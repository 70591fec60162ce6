import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { discordPermissions } from "./discord-permissions.ts";

test("the page asks for what the invitation in the guide gives", () => {
  const guide = readFileSync(new URL("../../../../../docs/channels/discord.md", import.meta.url), "utf8");
  const all = discordPermissions.reduce((sum, { bit }) => sum | bit, 0n);
  expect(/permissions=(\d+)/.exec(guide)?.[1]).toBe(String(all));
  for (const { name } of discordPermissions) expect(guide).toContain(`*${name}*`);
});
