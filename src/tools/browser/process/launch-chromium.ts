import type { Browser } from "playwright-core";
import { reasonOf } from "../../../contract/failure.ts";
import type { Refusal } from "../../paths/refusal.ts";
import type { UserIds } from "../../programs/workspace-owner.ts";
import { type BrowserFolder, type FolderDeps, makeBrowserFolder } from "./browser-folder.ts";
import { chromiumCommand, userForBrowser } from "./chromium-command.ts";

type Launched = { browser: Browser; folder: BrowserFolder };

const launchMs = 30_000;

/** With Chromium's own sandbox; without it only as a user who owns nothing that a page could be after. */
export async function launchChromium(
  deps: FolderDeps,
  chromium: string,
  proxyPort: number,
): Promise<Launched | Refusal> {
  const user = userForBrowser();
  const first = await launchOnce(deps, chromium, { user, proxyPort, sandbox: true });
  if (!("refused" in first) || !/sandbox/i.test(first.refused)) return first;
  if (user) return launchOnce(deps, chromium, { user, proxyPort, sandbox: false });
  const why = "Chromium finds no usable sandbox on this system, and Steward opens no web pages without one";
  return { refused: `The browser was not started: ${why}. Allow unprivileged user namespaces.` };
}

async function launchOnce(
  deps: FolderDeps,
  chromium: string,
  how: { user: UserIds | undefined; proxyPort: number; sandbox: boolean },
): Promise<Launched | Refusal> {
  const folder = await makeBrowserFolder(deps, how.user);
  const command = chromiumCommand(chromium, { ...how, profile: folder.profile });
  if ("refused" in command) {
    await folder.remove();
    return command;
  }
  // half a second to load, which only a conversation that browses should pay
  const playwright = await import("playwright-core");
  try {
    const browser = await playwright.chromium.launch({
      executablePath: command.program,
      // every flag is ours: what the driver adds by default allows what we keep shut
      ignoreDefaultArgs: true,
      args: [...command.args],
      downloadsPath: folder.downloads,
      // none of our own variables: they hold keys
      env: { PATH: "/usr/bin:/bin", HOME: folder.profile, TMPDIR: folder.profile, LANG: "C.UTF-8" },
      timeout: launchMs,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return { browser, folder };
  } catch (cause) {
    await folder.remove();
    return { refused: `The browser was not started: ${reasonIn(cause)}` };
  }
}

function reasonIn(cause: unknown): string {
  const lines = reasonOf(cause).split("\n");
  const told = lines.find((line) => /FATAL|ERROR|No usable sandbox|error while loading/.test(line)) ?? lines[0] ?? "";
  return told.trim().slice(0, 300);
}
