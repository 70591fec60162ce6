import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/scenes/temporary-folder.ts";
import { systemdUnit } from "./systemd-unit.ts";

const machine = {
  ...{ platform: "linux", uid: 1000, userHome: "/home/ann", environment: {} },
  ...{ node: process.execPath, script: '/opt/50% "off" $x\\y/steward.mjs' },
};

test("whatever stands in a path means nothing to systemd", () => {
  const unit = systemdUnit({ machine, home: "/srv/my 100% home", mayDropPrivileges: true });
  expect(unit).toContain('"/opt/50%% \\"off\\" $x\\\\y/steward.mjs" "daemon"');
  expect(unit).toContain('Environment="STEWARD_HOME=/srv/my 100%% home"');
  expect(() => systemdUnit({ machine, home: "/srv/a\nExecStart=/bin/evil", mayDropPrivileges: true })).toThrow(
    "holds no control characters",
  );
});

test.each([0, 1000])("systemd finds nothing wrong with the unit of user %i", async (uid) => {
  const path = join(await temporaryFolder(), "steward.service");
  await writeFile(path, systemdUnit({ machine: { ...machine, uid }, home: undefined, mayDropPrivileges: true }));
  const verified = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
});

test("where the sandbox needs setuid programs they are not taken away", () => {
  const unit = systemdUnit({ machine, home: undefined, mayDropPrivileges: false });
  expect(unit).not.toMatch(/^(NoNewPrivileges|Restrict|Lock|Protect)/m);
});
