import { spawn } from "node:child_process";
import { chmod, chown, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { ProbeResult } from "../../../src/tools/sandbox/probes/probe-scene.ts";
import { isRoot } from "../../scenes/sandbox/sandbox-driver.ts";

type Report = {
  uid: number;
  choosingMs: number;
  unavailable: string | null;
  describe: string;
  results: ProbeResult[];
};

const plainUid = 60_901;
// tests that run as a plain user anyway have no other user to become
const users = isRoot
  ? [
      { who: "root", uid: 0 },
      { who: "a plain user", uid: plainUid },
    ]
  : [{ who: "a plain user", uid: process.getuid?.() ?? 0 }];

for (const { who, uid } of users) {
  test(`started by ${who}, the sandbox holds against every probe`, async () => {
    const report = await batteryAs(uid);
    expect(report).toMatchObject({ uid, unavailable: null });
    expect(report.results.filter((result) => result.open)).toEqual([]);
    expect(report.results.length).toBeGreaterThan(40);
    console.log(
      `${who}: ${report.results.length} probes, 0 open; chosen in ${Math.round(report.choosingMs)} ms. ${report.describe}`,
    );
  });
}

/** The sandbox's sources and Node are copied to where that user can read them. */
async function batteryAs(uid: number): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "steward-battery-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const sources = join(folder, "src");
  const node = join(folder, "node");
  const program = join(folder, "battery.ts");
  for (const part of ["contract", "tools/paths", "tools/programs", "tools/proxy", "tools/sandbox"])
    await cp(join(import.meta.dirname, "../../../src", part), join(sources, part), { recursive: true });
  await cp(fileURLToPath(import.meta.resolve("../../scenes/sandbox/sandbox-battery.ts")), program);
  await cp(process.execPath, node);
  if (isRoot) await chown(folder, uid, uid);
  const child = spawn(node, [program, sources, folder], {
    env: { HOME: folder, SECRET_OF_STEWARD: "must not be seen" },
    stdio: ["ignore", "pipe", "inherit"],
    ...(isRoot ? { uid, gid: uid } : {}),
  });
  let text = "";
  for await (const piece of child.stdout) text += piece;
  return JSON.parse(text) as Report;
}
