import { expect, test } from "vitest";
import { systemdScopeWords } from "./systemd-scope.ts";

const limits = { memoryBytes: 1000, processes: 20 };

test("a plain user's command gets a scope of the user's own systemd, without swap to escape into", () => {
  expect(systemdScopeWords({ systemdRun: "/usr/bin/systemd-run", isRoot: false }, limits)).toEqual([
    "/usr/bin/systemd-run",
    "--user",
    "--scope",
    "--quiet",
    "--collect",
    "--property=MemoryMax=1000",
    "--property=MemorySwapMax=0",
    "--property=TasksMax=20",
    "--",
  ]);
});

test("root asks the system's systemd", () => {
  expect(systemdScopeWords({ systemdRun: "/usr/bin/systemd-run", isRoot: true }, limits)).not.toContain("--user");
});
