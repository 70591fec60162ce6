import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { findSetting } from "../setting-keys.ts";
import { settingsDocs } from "./settings-docs.ts";
import { sourceDocuments } from "./source-keys.ts";

test("docs/settings.md says what the schema says", async () => {
  const written = await readFile(new URL("../../../docs/settings.md", import.meta.url), "utf8");
  expect(written).toBe(settingsDocs());
});

test("a setting is told with what is allowed, its default, its variable and its meaning", () => {
  expect(settingsDocs()).toContain(
    "| `agent.maxSteps` | a whole number from 1 to 1000 | `50` | `STEWARD_AGENT_MAX_STEPS` | Model calls in one turn",
  );
});

test("every key that stands for one of a source document exists", () => {
  const rows = sourceDocuments.flatMap(({ keys }) => keys);
  const named = rows.flatMap(([, here]) => [...here.matchAll(/`([a-z]+\.[^`]+)`/gi)].map(([, key]) => key ?? ""));
  expect(rows.length).toBeGreaterThan(50);
  expect(named.filter((key) => findSetting(key.replace("<name>", "x")) === undefined)).toEqual([]);
  expect(rows.filter(([, here]) => !/^`|^none: |^comes with |variable|file/.test(here))).toEqual([]);
});
