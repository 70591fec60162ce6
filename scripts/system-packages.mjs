// What some tests need from the operating system. Steward itself needs none of it.
import { spawnSync } from "node:child_process";

const packages = [
  { package: "tmux", command: ["tmux", "-V"], reason: "the terminal chat is tested in a real terminal" },
  { package: "python3", command: ["python3", "--version"], reason: "tests of commands run small programs with it" },
];

/** Installs what is missing when it may (root on Debian); else names it and leaves the tests to say what they lack. */
export function ensureSystemPackages() {
  const missing = packages.filter(({ command }) => !runs(command));
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.package);
  if (process.getuid?.() === 0 && runs(["apt-get", "--version"])) {
    console.error(`Installing ${names.join(" and ")} with apt-get, for the tests…`);
    const update = runApt(["update", "-q"]);
    const install = runApt(["install", "-y", "-q", "--no-install-recommends", ...names]);
    if (install.status === 0) return;
    console.error(`${update.stderr}${install.stderr}`.trim());
  }
  for (const entry of missing) console.error(`Missing: ${entry.package} (${entry.reason}).`);
  console.error(`Some tests will fail until you run: sudo apt-get install ${names.join(" ")}`);
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
