import type { Refusal } from "../../paths/refusal.ts";
import { findTrustedProgram } from "../../programs/trusted-program.ts";

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
