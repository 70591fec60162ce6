// One Chromium for all conversations: started when the first page is wanted, watched, and started again after it ended.
import type { Browser } from "playwright-core";
import { orRefusal, type Refusal } from "../../paths/refusal.ts";
import type { CheckAddress } from "../../proxy/reach-checked.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import { type BrowserFolder, type FolderDeps, removeBrowserLeftovers } from "./browser-folder.ts";
import { findProcesses } from "./browser-processes.ts";
import type { BrowserProxy } from "./browser-proxy.ts";
import { findChromium, launchChromium } from "./launch-chromium.ts";

export type BrowserProcessDeps = FolderDeps & {
  checkAddress: CheckAddress;
  limits: BrowserLimits;
  /** Where Chromium is looked for, if not in the system's own folders. */
  programFolders?: readonly string[];
  onTrouble(message: string, cause: unknown): void;
};

export type RunningBrowser = ReturnType<typeof watchOver>;

export type BrowserProcess = ReturnType<typeof openBrowserProcess>;

export function openBrowserProcess(deps: BrowserProcessDeps) {
  let running: Promise<RunningBrowser | Refusal> | undefined;
  let isOver = false;
  let users = 0;
  const cleaned = removeBrowserLeftovers(deps).catch((cause) => {
    deps.onTrouble("what an earlier browser left behind could not be removed", cause);
  });
  return { start, stop, awake };

  /** Pages run only while somebody looks at them. Else they could watch how busy this program is, which a model can make it. */
  async function awake<Value>(work: () => Promise<Value>): Promise<Value> {
    users += 1;
    if (users === 1) (await own())?.goOn();
    try {
      return await work();
    } finally {
      users -= 1;
      await (await own())?.rest(() => users === 0);
    }
  }

  async function own(): Promise<RunningBrowser | undefined> {
    const started = await running;
    return started && "refused" in started ? undefined : started;
  }

  async function start(): Promise<RunningBrowser | Refusal> {
    if (isOver) return { refused: "The browser is not started any more: Steward is stopping." };
    const own = running ?? launch();
    running = own;
    const started = await own;
    if ("refused" in started && running === own) running = undefined;
    return started;
  }

  async function launch(): Promise<RunningBrowser | Refusal> {
    await cleaned;
    const parts = await orRefusal("The browser was not started", () => openParts(deps));
    if ("refused" in parts) return parts;
    parts.browser.once("disconnected", () => {
      running = undefined;
    });
    return watchOver(deps, parts);
  }

  /** Ends it and clears up after it; the next start makes a new one, unless it is stopped for good. */
  async function stop(why: string, forGood = false): Promise<void> {
    isOver ||= forGood;
    await cleaned;
    const own = running;
    // whoever comes from now on gets a new one
    running = undefined;
    const started = await own;
    if (started && !("refused" in started)) await started.end(why);
  }
}

type Parts = { browser: Browser; proxy: BrowserProxy; folder: BrowserFolder };

async function openParts(deps: BrowserProcessDeps): Promise<Parts | Refusal> {
  const chromium = findChromium(deps.programFolders);
  if ("refused" in chromium) return chromium;
  // it brings Node's HTTP with it, which a Steward that nobody visits does without
  const { openBrowserProxy } = await import("./browser-proxy.ts");
  const proxy = await openBrowserProxy(deps);
  const launched = await launchChromium(deps, chromium.path, proxy.port);
  if ("refused" in launched) {
    await proxy.close();
    return launched;
  }
  return { ...launched, proxy };
}

/** `ended` says why it is no longer there, once it is not. */
function watchOver(deps: BrowserProcessDeps, parts: Parts) {
  const { browser, proxy, folder } = parts;
  const { promise: cleared, resolve: tellCleared } = Promise.withResolvers<void>();
  let why = "it ended unexpectedly";
  let ended: string | undefined;
  let resting: readonly number[] = [];
  const watch = setInterval(() => void watchMemory(), deps.limits.memoryCheckMs).unref();
  browser.once("disconnected", () => {
    ended = why;
    // what stands still would never see that the browser is gone
    goOn();
    clearInterval(watch);
    void clear();
  });
  return { browser, proxy, folder, ended: () => ended, end, rest, goOn };

  async function rest(isUnused: () => boolean): Promise<void> {
    const found = isUnused() ? await findProcesses(folder.profile) : [];
    // somebody may have come meanwhile
    if (!isUnused() || ended !== undefined) return;
    resting = found.map(({ pid }) => pid);
    signal(resting, "SIGSTOP");
  }

  function goOn(): void {
    signal(resting, "SIGCONT");
    resting = [];
  }

  async function end(reason: string): Promise<void> {
    why = reason;
    goOn();
    await browser.close();
    await cleared;
  }

  async function clear(): Promise<void> {
    try {
      await proxy.close();
      await folder.remove();
    } catch (cause) {
      deps.onTrouble("the browser's folder could not be removed", cause);
    }
    tellCleared();
  }

  async function watchMemory(): Promise<void> {
    const used = (await findProcesses(folder.profile)).reduce((sum, each) => sum + each.memoryBytes, 0);
    if (used <= deps.limits.memoryBytes || ended !== undefined) return;
    const [taken, allowed] = [used, deps.limits.memoryBytes].map((bytes) => `${Math.round(bytes / 1024 ** 2)} MB`);
    await end(`it used ${taken} of memory, and ${allowed} are allowed`);
  }
}

function signal(pids: readonly number[], name: "SIGSTOP" | "SIGCONT"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // it has ended
    }
  }
}
