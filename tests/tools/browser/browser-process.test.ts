import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { browserTools } from "../../../src/tools/browser/browser-tools.ts";
import { findProcesses } from "../../../src/tools/browser/process/browser-processes.ts";
import { eventually } from "../../scenes/eventually.ts";
import { type BrowserScene, openBrowserScene, type SceneOptions } from "../../scenes/tools/browser-scene.ts";

test("without Chromium the tools say what to install", async () => {
  const scene = await sceneWith({ programFolders: [] });
  expect(await scene.look({ action: "open", url: scene.pages.site })).toEqual({
    outcome: "failed",
    output: "No Chromium found: apt-get install chromium",
  });
});

test("the browser is nobody important, and closing leaves nothing behind", async () => {
  const scene = await openBrowserScene();
  await scene.look({ action: "open", url: `${scene.pages.site}/` });
  const folder = await browserFolder(scene.folders.folder);
  const processes = await findProcesses(join(folder, "profile"));
  expect(processes.length).toBeGreaterThan(2);
  for (const { pid } of processes) expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
  await scene.close();
  expect(await findProcesses(join(folder, "profile"))).toEqual([]);
  expect(existsSync(folder)).toBe(false);
  expect(scene.troubles).toEqual([]);
});

test("a browser that was killed is started again, without its pages but with its cookies", async () => {
  const scene = await sceneWith();
  await scene.look({ action: "open", url: `${scene.pages.site}/cookie` });
  const processes = await findProcesses(join(await browserFolder(scene.folders.folder), "profile"));
  await killBrowser(scene);
  await eventually(() => processes.filter(({ pid }) => isRunning(pid)), []);
  const read = await scene.look({ action: "read" });
  expect(read.output).toBe(
    "The browser was started again: it ended unexpectedly. Its pages are gone, its cookies were kept.\nNo page is open. Open an address first.",
  );
  const again = await scene.look({ action: "open", url: `${scene.pages.site}/cookie` });
  expect(again.output).toContain("Cookies: visitor=first");
});

test("a call during which the browser is killed ends with a sentence", async () => {
  const scene = await sceneWith();
  await scene.look({ action: "open", url: `${scene.pages.site}/` });
  const opening = scene.look({ action: "open", url: `${scene.pages.site}/slow` });
  await eventually(() => scene.pages.requests.some(({ url }) => url === "/slow"));
  await killBrowser(scene);
  expect((await opening).output).toContain("The browser is gone: it ended unexpectedly.");
});

test("a browser that takes too much memory is closed, and the next call says why", async () => {
  const scene = await sceneWith({ limits: { memoryBytes: 1_000_000, memoryCheckMs: 500 } });
  await scene.look({ action: "open", url: `${scene.pages.site}/` });
  await untilNoneRuns(scene);
  const read = await scene.look({ action: "read" });
  expect(read.output).toMatch(/^The browser was started again: it used \d+ MB of memory, and 1 MB are allowed\./);
});

test("pages that nobody uses are closed, and are opened again with their cookies", async () => {
  const scene = await sceneWith({ limits: { idleMs: 300 } });
  await scene.look({ action: "open", url: `${scene.pages.site}/cookie` });
  await untilNoneRuns(scene);
  const read = await scene.look({ action: "read" });
  expect(read.output).toContain("had been closed while nobody used it");
  expect(read.output).toContain("Cookies: visitor=first");
});

test("the conversation that rested longest makes room for another and comes back to its page", async () => {
  const scene = await sceneWith({ limits: { conversations: 1 } });
  const [ada, bob] = [{ conversation: "terminal--ada" }, { conversation: "terminal--bob" }];
  await scene.look({ action: "open", url: `${scene.pages.site}/cookie` }, ada);
  expect((await scene.look({ action: "open", url: `${scene.pages.site}/` }, bob)).outcome).toBe("done");
  expect((await scene.look({ action: "read" }, ada)).output).toContain("Cookies: visitor=first");
});

test("what a killed Steward left behind is gone with the next start", async () => {
  const script = fileURLToPath(new URL("../../scenes/tools/browser-child.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  const folders = JSON.parse(String(line)) as BrowserScene["folders"];
  const left = await browserFolder(folders.folder);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(existsSync(left)).toBe(true);
  const next = browserTools({
    ...folders,
    checkAddress: async () => ({ ok: false, reason: "nothing is opened here" }),
    nowMs: () => Date.now(),
    onTrouble: (message, cause) => expect.unreachable(`${message}: ${cause}`),
  });
  await next.close();
  expect(existsSync(left)).toBe(false);
  expect(await findProcesses(join(left, "profile"))).toEqual([]);
  await rm(join(folders.folder, ".."), { recursive: true });
});

async function sceneWith(options: SceneOptions = {}): Promise<BrowserScene> {
  const scene = await openBrowserScene(options);
  onTestFinished(() => scene.close());
  return scene;
}

/** One that nobody has collected yet has no command line any more. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, "utf8") !== "";
}

async function browserFolder(folder: string): Promise<string> {
  const [note = ""] = await readdir(join(folder, "running"));
  return readFile(join(folder, "running", note), "utf8");
}

async function killBrowser(scene: BrowserScene): Promise<void> {
  const processes = await findProcesses(join(await browserFolder(scene.folders.folder), "profile"));
  process.kill(Math.min(...processes.map(({ pid }) => pid)), "SIGKILL");
  await untilNoneRuns(scene);
}

async function untilNoneRuns(scene: BrowserScene): Promise<void> {
  await eventually(() => readdir(join(scene.folders.folder, "running")), []);
}
