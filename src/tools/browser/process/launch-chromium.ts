// How Chromium is started: which program with which flags, and as whom.
import type { Browser } from "playwright-core";
import { reasonOf } from "../../../contract/failure.ts";
import type { Refusal } from "../../paths/refusal.ts";
import { findTrustedProgram, programPath } from "../../programs/trusted-program.ts";
import type { UserIds } from "../../programs/workspace-owner.ts";
import { type BrowserFolder, type FolderDeps, makeBrowserFolder } from "./browser-folder.ts";

type Launched = { browser: Browser; folder: BrowserFolder };
type Start = { user: UserIds | undefined; proxyPort: number; sandbox: boolean };

const launchMs = 30_000;
const names = ["chromium", "chromium-browser", "google-chrome"];
/** Owns nothing but the browser's own temporary folder, and is not the user that commands run as. */
const browserUser: UserIds = { uid: 60_802, gid: 60_802 };

/** The system's own browser; nothing is ever downloaded. */
export function findChromium(folders?: readonly string[]): { path: string } | Refusal {
  for (const name of names) {
    const found = findTrustedProgram(name, folders);
    if (found.kind === "found") return { path: found.path };
    if (found.kind === "unsafe") return { refused: `The browser was not started: ${found.reason}.` };
  }
  return { refused: "No Chromium found: apt-get install chromium" };
}

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

/** As root the browser is handed to a user without rights: Chromium refuses its own sandbox to root. */
function userForBrowser(): UserIds | undefined {
  return process.getuid?.() === 0 ? browserUser : undefined;
}

async function launchOnce(deps: FolderDeps, chromium: string, start: Start): Promise<Launched | Refusal> {
  const folder = await makeBrowserFolder(deps, start.user);
  const command = chromiumCommand(chromium, folder.profile, start);
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
      args: command.args,
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

function chromiumCommand(
  chromium: string,
  profile: string,
  { user, proxyPort, sandbox }: Start,
): { program: string; args: string[] } | Refusal {
  const flags = [...usualFlags, `--user-data-dir=${profile}`, ...networkFlags(proxyPort)];
  if (!sandbox) flags.push("--no-sandbox");
  if (!user) return { program: chromium, args: flags };
  const setpriv = programPath("setpriv");
  if (!setpriv) {
    const why = "Steward runs as root, and without setpriv the browser cannot be given to a user without rights";
    return { refused: `The browser was not started: ${why}. Run Steward as an ordinary user, or install util-linux.` };
  }
  const drop = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--no-new-privs", "--"];
  return { program: setpriv, args: [...drop, chromium, ...flags] };
}

const withoutFeatures = [
  // each of these speaks to a vendor's servers or finds devices nearby
  "AutofillServerCommunication",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "PreconnectToSearch",
  "AimEnabled",
  "MediaRouter",
  // an http address stays one, so that what was checked is what is asked for
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  // these confuse whoever drives the browser
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "PaintHolding",
];

const usualFlags = [
  "--headless",
  // a pipe, not a port: nobody else on the machine can drive this browser
  "--remote-debugging-pipe",
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-service-autorun",
  "--disable-background-networking",
  // a page that comes out of it tells nobody that it is loaded
  "--disable-back-forward-cache",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-gpu",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
  "--metrics-recording-only",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
  `--disable-features=${withoutFeatures.join(",")}`,
  "--enable-features=SkipListAccountsWithoutGaiaCookies",
];

function networkFlags(proxyPort: number): string[] {
  return [
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    // without it, addresses of this machine would go past the proxy
    "--proxy-bypass-list=<-loopback>",
    // the browser itself looks nothing up: a name that has not been through the proxy leads nowhere
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ];
}
