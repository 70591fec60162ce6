// How long the browser tools take to the first page and to a further one, against a bare Chromium in the same run.
import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserScene, openBrowserScene } from "../tests/scenes/tools/browser-scene.ts";
import { median, steadyMs } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { printReport } from "./measure/report.ts";

const rounds = 5;
const pagesEach = 4;
// root gets no sandbox from Chromium; the tools have theirs in every round
const bareFlags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];

await using folder = await benchFolder();
const bare: number[] = [];
const first: number[] = [];
const further: number[] = [];
const reading: number[] = [];
for (let round = 0; round < rounds; round++) {
  bare.push(await bareStart(join(folder.path, `profile-${round}`)));
  const scene = await openBrowserScene();
  first.push(await timeOf(() => openPage(scene, "/")));
  for (let page = 0; page < pagesEach; page++) {
    further.push(await timeOf(() => openPage(scene, page % 2 === 0 ? "/form" : "/")));
    reading.push(await timeOf(() => scene.look({ action: "read" })));
  }
  await scene.close();
}
const against = { name: "chromium --dump-dom about:blank", value: median(bare) };

printReport([
  { what: "first page, browser started", value: median(first), unit: "ms", against, goal: { ratioAtMost: 3 } },
  { what: "further page", value: median(further), unit: "ms", against, goal: { ratioAtMost: 1 } },
  { what: "reading the page again", value: median(reading), unit: "ms", against, goal: { ratioAtMost: 0.2 } },
]);

async function bareStart(profile: string): Promise<number> {
  await mkdir(profile);
  return timeOf(async () => {
    const args = [...bareFlags, `--user-data-dir=${profile}`, "--dump-dom", "about:blank"];
    const { status, stderr } = spawnSync("chromium", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`chromium ended with ${status}: ${stderr}`);
  });
}

async function openPage(scene: BrowserScene, path: string): Promise<void> {
  const page = await scene.look({ action: "open", url: `${scene.pages.site}${path}` });
  if (page.outcome !== "done") throw new Error(page.output);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = steadyMs();
  await work();
  return steadyMs() - startedMs;
}
