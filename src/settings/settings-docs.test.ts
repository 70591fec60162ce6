import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { settingsDocs } from "./settings-docs.ts";

test("docs/settings.md says what the schema says", async () => {
  const written = await readFile(new URL("../../docs/settings.md", import.meta.url), "utf8");
  expect(written).toBe(settingsDocs());
});

test("a setting is told with what is allowed, its default, its variable and its meaning", () => {
  expect(settingsDocs()).toContain(
    "| `agent.maxSteps` | a whole number from 1 to 1000 | `50` | `STEWARD_AGENT_MAX_STEPS` | Model calls in one turn",
  );
});
