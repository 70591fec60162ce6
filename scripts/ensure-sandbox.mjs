import { existsSync } from "node:fs";
import { installPackages } from "./system-packages.mjs";

const bwrapPaths = ["/usr/bin/bwrap", "/bin/bwrap"];
const answering = new Set([undefined, "chat", "ask", "daemon"]);

/** Commands need bubblewrap. Who may install it and starts Steward gets it, and is told so; everybody else is told by `steward status`. */
export function ensureSandbox([command]) {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !answering.has(command)) return;
  if (bwrapPaths.some((path) => existsSync(path)) || !existsSync("/usr/bin/apt-get")) return;
  console.error("Installing bubblewrap with apt-get, so that commands run in a sandbox…");
  const failure = installPackages(["bubblewrap"]);
  if (failure) console.error(`bubblewrap could not be installed, so commands stay off: ${failure}`);
}
