import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { runSteward, startModelProcess, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { startUserSystemd, type UserSystemd } from "../scenes/user-systemd.ts";

test("Steward is installed as a service, started, started again when it was killed, stopped and taken out again", async () => {
  const systemd = await startUserSystemd();
  if ("unavailable" in systemd) {
    process.stderr.write(`The service is not run by a real systemd here, because ${systemd.unavailable}.\n`);
    return verifyOnly();
  }
  onTestFinished(() => systemd.stop());
  process.stderr.write("The service is run by a real systemd.\n");
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(systemd.home, model.port, { gateway: { port: 0 }, guard: { mode: "auto" } });
  await systemd.giveHome();

  expect(await systemd.steward("service")).toMatchObject({ code: 3, output: expect.stringContaining("not installed") });
  expect(await systemd.steward("service", "start")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("Install it with: steward service install"),
  });
  const nowhere = ["env", "XDG_RUNTIME_DIR=/nowhere", `STEWARD_HOME=${systemd.home}`, ...systemd.words] as const;
  expect(await systemd.run(...nowhere, "service", "install")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("There is no systemd session for this user"),
  });
  expect((await systemd.steward("service")).output).toContain("not installed");
  const installed = await systemd.steward("service", "install");
  expect(installed).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Installed: .*systemd\/user\/steward\.service\n/),
  });
  expect((await systemd.steward("service", "install")).output).toContain("Installed already");
  expect(await systemd.steward("service", "start")).toMatchObject({
    code: 0,
    output: expect.stringContaining("runs as a service"),
  });

  // what systemd forbids it leaves the sandbox of commands whole
  const asked = await systemd.steward("ask", 'TOOL:bash:{"command":"echo from the $((40 + 2))nd box"}END');
  expect(asked.output).toContain("from the 42nd box");

  const first = await status(systemd);
  expect(first).toMatchObject({ supervisor: "systemd", installed: true, enabled: true, active: true });
  await systemd.run("kill", "-9", String(first.pid));
  await eventually(async () => {
    const { active, pid } = await status(systemd);
    return active && pid !== first.pid && (await systemd.steward("status", "--json")).output.includes(`"pid": ${pid}`);
  });

  expect(await systemd.steward("service", "stop")).toMatchObject({
    code: 0,
    output: expect.stringContaining("has stopped"),
  });
  const shown = await systemd.run(
    "systemctl",
    "--user",
    "show",
    "steward",
    "--property=ActiveState,Result,ExecMainStatus",
  );
  expect(shown.output.trim().split("\n").sort()).toEqual([
    "ActiveState=inactive",
    "ExecMainStatus=0",
    "Result=success",
  ]);
  const { path } = await status(systemd);
  await writeFile(join(systemd.home, "config.json"), "{ not settings");
  expect(await systemd.steward("service", "start")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("config.json is not valid JSON"),
  });
  expect(await systemd.steward("service", "uninstall")).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Removed: ${path}`),
  });
  expect(existsSync(path)).toBe(false);
  expect((await systemd.steward("service", "uninstall")).output).toContain("not installed");
});

async function status(systemd: UserSystemd) {
  return JSON.parse((await systemd.steward("service", "status", "--json")).output);
}

/** systemd's own reading of the file is what is left without a systemd that runs. */
async function verifyOnly(): Promise<void> {
  const root = await temporaryFolder();
  const environment = { XDG_CONFIG_HOME: "/config" };
  const { code, output } = await runSteward({ home: root, args: ["service", "install", "--root", root], environment });
  expect(code).toBe(0);
  const path = output.replace(/^Installed: /, "").trim();
  const verified = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
}

test("a root folder gets the file and nothing else happens", async () => {
  const root = await temporaryFolder();
  const run = (word: string) => runSteward({ home: join(root, "home"), args: ["service", word, "--root", root] });
  const installed = await run("install");
  const path = installed.output.replace(/^Installed: /, "").trim();
  expect(await readFile(path, "utf8")).toContain(`Environment="STEWARD_HOME=${join(root, "home")}"`);
  expect(await run("uninstall")).toMatchObject({ code: 0, output: expect.stringContaining(`Removed: ${path}`) });
  expect(existsSync(path)).toBe(false);
});
