import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { launchdPlist } from "./launchd-plist.ts";

const machine = {
  ...{ platform: "darwin", uid: 501, userHome: "/Users/ann", environment: {} },
  ...{ node: "/opt/a & b/node", script: "/opt/<x>/steward.mjs" },
};

/** By another reader than the one it was written for; it refuses what is not well formed. */
function read(text: string): unknown {
  const program = "import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
  const { stdout, stderr } = spawnSync("python3", ["-c", program], { input: text, encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("launchd reads what to start, when to start it again, and where its words go", () => {
  expect(read(launchdPlist({ machine, home: '/Volumes/"my" disk' }))).toEqual({
    Label: "io.steward.daemon",
    ProgramArguments: ["/opt/a & b/node", "/opt/<x>/steward.mjs", "daemon"],
    EnvironmentVariables: { STEWARD_HOME: '/Volumes/"my" disk' },
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 10,
    ExitTimeOut: 30,
    ProcessType: "Background",
    StandardOutPath: '/Volumes/"my" disk/logs/launchd.log',
    StandardErrorPath: '/Volumes/"my" disk/logs/launchd.log',
  });
  expect(read(launchdPlist({ machine, home: undefined }))).toMatchObject({
    StandardOutPath: "/Users/ann/.steward/logs/launchd.log",
  });
});
