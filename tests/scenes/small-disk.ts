import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

/** Mounting needs root; elsewhere the tests that need a small disk are not there to be run. */
export const canMount = process.getuid?.() === 0 && mountWorks();

export type SmallDisk = { folder: string; fill(): void; free(): void; makeReadOnly(): void };

export async function smallDisk(sizeKb: number): Promise<SmallDisk> {
  const folder = await temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeKb}k`, "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", folder]);
  });
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill() {
      for (let size = sizeKb * 1024; size >= 512; size = Math.floor(size / 2)) writeUntilFull(ballast, size);
    },
    free: () => rmSync(ballast),
    makeReadOnly: () => execFileSync("mount", ["-o", "remount,ro", folder]),
  };
}

function writeUntilFull(path: string, size: number): void {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(size), { flag: "a" });
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOSPC")) throw cause;
  }
}

function mountWorks(): boolean {
  try {
    execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    // a container without the right to mount
    return false;
  }
}
