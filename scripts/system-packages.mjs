// What some tests need from the operating system. Steward itself needs none of it.
import { spawnSync } from "node:child_process";
import { fetchNewerPackage } from "./newer-packages.mjs";
import { projectRoot } from "./project-root.mjs";

const packages = [
  { package: "tmux", command: ["tmux", "-V"], reason: "the terminal chat is tested in a real terminal" },
  { package: "chromium", command: ["chromium", "--version"], reason: "the browser tools are tested in a real browser" },
  { package: "firefox-esr", command: ["firefox-esr", "--version"], reason: "the web page is tested in it, too" },
  { package: "python3", command: ["python3", "--version"], reason: "tests of commands run small programs with it" },
  { package: "poppler-utils", command: ["pdftotext", "-v"], reason: "PDF files from the web are read with it" },
  { package: "bubblewrap", command: ["bwrap", "--version"], reason: "the sandbox is tested for real" },
  { package: "socat", command: ["socat", "-V"], reason: "the way out of the sandbox is tested for real" },
  { package: "curl", command: ["curl", "--version"], reason: "commands in the sandbox fetch pages with it" },
  { package: "podman", command: ["podman", "--version"], reason: "the container driver is tested for real" },
  { package: "runc", command: ["runc", "--version"], reason: "podman runs its containers with it" },
  { package: "busybox-static", command: ["busybox", "--help"], reason: "the test image consists of it" },
  { package: "systemd", command: ["systemd-analyze", "--version"], reason: "the service is tested with it" },
  {
    package: "dovecot-imapd",
    command: ["dovecot", "--version"],
    reason: "the email channel is tested with a real server",
  },
  { package: "dovecot-lmtpd", command: ["dovecot", "--version"], reason: "mails are delivered to that server by LMTP" },
  { package: "ripgrep", command: ["rg", "--version"], reason: "the bench of the file tools searches beside it" },
];

/** Installs what is missing when it may (root on Debian); else names it and leaves the tests to say what they lack. */
export function ensureSystemPackages() {
  const missing = packages.filter(({ command }) => !runs(command));
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.package);
  if (process.getuid?.() === 0 && runs(["apt-get", "--version"])) {
    console.error(`Installing ${names.join(" and ")} with apt-get, for the tests…`);
    const failure = installPackages(names);
    if (!failure) return;
    console.error(failure);
  }
  for (const entry of missing) console.error(`Missing: ${entry.package} (${entry.reason}).`);
  console.error(`Some tests will fail until you run: sudo apt-get install ${names.join(" ")}`);
}

/** Those that come with the next Debian only. */
export function ensureNewerPackages() {
  if (runs(["ntfy", "--help"])) return;
  const failure = fetchNewerPackage(projectRoot, "ntfy");
  if (failure) console.error(`Missing: ntfy (push messages are tested with the real server). ${failure}`);
}

/** Returns nothing, or apt's own words. */
export function installPackages(names) {
  const update = runApt(["update", "-q"]);
  const install = runApt(["install", "-y", "-q", "--no-install-recommends", ...names]);
  return install.status === 0 ? undefined : `${update.stderr}${install.stderr}`.trim();
}

function runs([command, ...args]) {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

function runApt(args) {
  return spawnSync("apt-get", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
