// Every name of the one table is held by the guard's rules and, should they err, by the sandbox's mounts.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  gitFolder,
  memoryNames,
  obeyedByGit,
  obeyedByPrograms,
  otherSecrets,
  type ProtectedName,
  secretFile,
  steeringNames,
} from "../../src/contract/names/protected-names.ts";
import { Settings } from "../../src/contract/settings.ts";
import type { GuardedCall } from "../../src/guard/judgement.ts";
import { judgePaths } from "../../src/guard/rules.ts";
import { openShellJudge } from "../../src/guard/shell/judge-command.ts";
import { bwrapWith, runToEnd } from "../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../scenes/sandbox/sandbox-scene.ts";

const inGit = obeyedByGit.map((one) => ({ ...one, name: join(gitFolder.name, one.name) }));
const everyName = [...obeyedByPrograms, ...steeringNames, ...memoryNames, secretFile, ...inGit];
const pathIn = ({ name, kind }: ProtectedName) => (kind === "folder" ? `${name}/x` : name);

/** The few fields that the rule for paths looks at. */
function writing(path: string): GuardedCall {
  return { call: { paths: [{ path, access: "write" }] }, workspace: "/w" } as unknown as GuardedCall;
}

// notes are what the file tools are for: judgeTaint asks about them as soon as somebody else's words are near
test.each(everyName.filter((one) => !memoryNames.includes(one)).map(pathIn))(
  "no file tool writes %s unasked",
  (path) => {
    expect(judgePaths({}, writing(path)).verdict).not.toBe("allow");
  },
);

test.each(otherSecrets.map(pathIn))("no tool opens %s, at any depth", (path) => {
  for (const place of [path, `a/b/${path}`, `a/${path.toUpperCase()}`]) {
    const call = { call: { paths: [{ path: place, access: "read" }] }, workspace: "/w" } as unknown as GuardedCall;
    expect(judgePaths({}, call).verdict).toBe("deny");
  }
});

test.each(["missing", "present"])("no command writes a protected name that is %s unasked", async (state) => {
  const { workspace } = await sandboxScene();
  if (state === "present") for (const name of everyName) put(workspace, name);
  const { judge } = openShellJudge(Settings.parse({}), workspace);
  const commands = everyName.map(pathIn).flatMap((path) => [`echo x > ${path}`, `cp a ${path}`, `rm -f ${path}`]);
  expect(commands.filter((command) => judge(command).verdict === "allow")).toEqual([]);
});

test.each(["missing", "present"])("nothing in the sandbox changes a protected name that is %s", async (state) => {
  const { workspace, stewardHome, command } = await sandboxScene();
  mkdirSync(join(workspace, gitFolder.name));
  if (state === "present") for (const name of everyName) put(workspace, name);
  const sandbox = await bwrapWith(stewardHome);
  const script = everyName
    .flatMap((one) => [
      `echo evil > ${pathIn(one)}`,
      `rm -rf ${one.name}`,
      `mv ${one.name} copy; rm -rf copy`,
      `ln -sf /etc ${one.name}`,
    ])
    .join("\n");
  const before = readAll(workspace);
  await runToEnd(sandbox, command(`${script}\ntrue`));
  await sandbox.close?.();
  expect(readAll(workspace)).toEqual(before);
});

function put(workspace: string, one: ProtectedName): void {
  if (one.kind === "folder") mkdirSync(join(workspace, one.name), { recursive: true });
  else mkdirSync(join(workspace, one.name, ".."), { recursive: true });
  writeFileSync(join(workspace, pathIn(one)), "mine\n");
}

function readAll(workspace: string): readonly string[] {
  return readdirSync(workspace, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(workspace, name);
      return statSync(path).isFile() ? `${name}: ${readFileSync(path, "utf8")}` : name;
    });
}
