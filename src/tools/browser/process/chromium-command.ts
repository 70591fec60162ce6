// How Chromium is started: which program with which flags, and as whom.
import type { Refusal } from "../../paths/refusal.ts";
import { findTrustedProgram, programPath } from "../../programs/trusted-program.ts";
import type { UserIds } from "../../programs/workspace-owner.ts";

export type ChromiumCommand = { program: string; args: readonly string[] };

/** Owns nothing but the browser's own temporary folder, and is not the user that commands run as. */
const browserUser: UserIds = { uid: 60_802, gid: 60_802 };

/** As root the browser is handed to a user without rights: Chromium refuses its own sandbox to root. */
export function userForBrowser(): UserIds | undefined {
  return process.getuid?.() === 0 ? browserUser : undefined;
}

export function chromiumCommand(
  chromium: string,
  given: { profile: string; proxyPort: number; user: UserIds | undefined; sandbox: boolean },
): ChromiumCommand | Refusal {
  const flags = [...usualFlags, `--user-data-dir=${given.profile}`, ...networkFlags(given.proxyPort)];
  if (!given.sandbox) flags.push("--no-sandbox");
  if (!given.user) return { program: chromium, args: flags };
  const setpriv = programPath("setpriv");
  if (!setpriv) {
    const why = "Steward runs as root, and without setpriv the browser cannot be given to a user without rights";
    return { refused: `The browser was not started: ${why}. Run Steward as an ordinary user, or install util-linux.` };
  }
  const { uid, gid } = given.user;
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--no-new-privs", "--"];
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

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The system's own browser; nothing is ever downloaded. */
export function findChromium(folders?: readonly string[]): { path: string } | Refusal {
  for (const name of names) {
    const found = findTrustedProgram(name, folders);
    if (found.kind === "found") return { path: found.path };
    if (found.kind === "unsafe") return { refused: `The browser was not started: ${found.reason}.` };
  }
  return { refused: "No Chromium found: apt-get install chromium" };
}
