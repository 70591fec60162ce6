import { isInstalled } from "./install-stamp.mjs";

/** Returns with node_modules as package-lock.json wants it, or ends the process with a sentence that says what to do. */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return;
  // asked at every start, and needed once: the usual answer must not pay for loading it
  const { install } = await import("./install.mjs");
  const failure = await install(root);
  if (!failure) return;
  console.error(failure);
  process.exit(1);
}
