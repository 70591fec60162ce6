// What can be seen from outside of a box that is made ahead and waits for its command.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../eventually.ts";
import { settledNames } from "./sandbox-scene.ts";

export async function boxWaits(workspace: string): Promise<void> {
  await eventually(() => readersIn(workspace).length > 0);
  // the stand-ins go one by one after the reader has said that it is there; a command that finds some of them gets a new box
  await settledNames(workspace);
  // the kernel notes the start of a process by hundredths of a second, and so a box that is younger would pass for a new one
  await sleep(20);
}

/** The boxes that wait: a shell that has not been told yet what to become. */
export function readersIn(workspace: string): number[] {
  return processesIn(workspace).filter((pid) => readProc(String(pid), "cmdline") === "/bin/sh\0");
}

/** Processes, other than the test itself, that have the workspace mounted. */
export function processesIn(workspace: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && readProc(name, "mountinfo").includes(` ${workspace} `))
    .map(Number);
}

export function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // it ended between the listing and the look
    return "";
  }
}
