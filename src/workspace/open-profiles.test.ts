import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import { openProfiles } from "./open-profiles.ts";
import { openWorkspace } from "./open-workspace.ts";

async function scene(defaultAgent = "main") {
  const path = await temporaryFolder();
  const workspace = await openWorkspace({ path });
  const warnings: string[] = [];
  const profiles = openProfiles({
    workspace,
    agentName: "Ada",
    defaultAgent,
    timeZone: "UTC",
    nowMs: () => 0,
    warn: (message) => warnings.push(message),
  });
  await writeFile(
    join(path, "agents", "cook.md"),
    "---\nname: Cook\ndescription: Knows recipes.\nmodel: a/b\ntools: read\n---\nSpeak of food only.\n",
  );
  return { path, profiles, warnings };
}

test("without an agent the main one speaks, with all tools", async () => {
  const { profiles } = await scene();
  const profile = await profiles.of("terminal--default", undefined, ["read", "bash"]);
  expect([profile.model, profile.toolNames, profile.system[0]?.text]).toEqual([
    undefined,
    undefined,
    expect.stringMatching(/You are Ada[\s\S]*Your tools: read, bash/),
  ]);
});

test("an agent speaks with its own words, model and tools", async () => {
  const { profiles } = await scene();
  const profile = await profiles.of("terminal--default", "cook", ["read", "bash"]);
  expect([profile.model, profile.toolNames]).toEqual(["a/b", ["read"]]);
  expect(profile.system.map((piece) => piece.text).join()).toMatch(
    /Cook[\s\S]*Your tools: read\.[\s\S]*Speak of food only/,
  );
});

test("the default agent speaks where nobody was chosen, and the main one where it was", async () => {
  const { profiles } = await scene("cook");
  const words = async (agent: string | undefined) =>
    (await profiles.of("terminal--default", agent, ["read"])).system.map(({ text }) => text).join();
  expect(await words(undefined)).toContain("You are Cook");
  expect(await words("main")).toContain("You are Ada");
});

test("an agent that is gone is told once, and the main one speaks", async () => {
  const { profiles, warnings } = await scene();
  for (let times = 0; times < 2; times++) await profiles.of("terminal--default", "gone", []);
  expect(warnings).toEqual(["There is no agent gone any more; the main one speaks instead, without tools."]);
});

test("words about a tool are left out for an agent that may not use it", async () => {
  const { profiles } = await scene();
  const parts = [{ text: "About bash.", stable: true, tool: "bash" }];
  const words = async (agent: string | undefined) =>
    (await profiles.of("terminal--default", agent, ["read", "bash"], parts)).system.map(({ text }) => text).join();
  expect(await words(undefined)).toContain("About bash.");
  expect(await words("cook")).not.toContain("About bash.");
});
