import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { reportDescriptor } from "./box-program.ts";
import { commandDescriptor } from "./box-reader.ts";

const timeoutMs = 5_000;

/** The number of a box's first process, as soon as its reader waits for a command; undefined: the box came to nothing. */
export async function whenReady(child: ChildProcess): Promise<number | undefined> {
  const innerPid = innerPidOf(child);
  return (await hearsReader(child)) ? innerPid : undefined;
}

/** The number of a box's first process, from bwrap's own report; undefined: there never was one. */
export function innerPidOf(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    let report = "";
    const stream = child.stdio[reportDescriptor];
    if (!stream) return resolve(undefined);
    stream.on("data", (bytes: Buffer) => {
      report += bytes.toString("utf8");
      const pid = pidIn(report);
      if (pid !== undefined) resolve(pid);
    });
    stream.once("close", () => resolve(undefined));
  });
}

function hearsReader(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false);
    const give = (heard: boolean) => () => {
      clearTimeout(timer);
      resolve(heard);
    };
    child.once("error", give(false));
    child.once("exit", give(false));
    const streams: readonly (Readable | Writable | null | undefined)[] = child.stdio;
    streams[commandDescriptor]?.once("data", give(true));
  });
}

/** bwrap's first line, written before anything runs inside. */
function pidIn(report: string): number | undefined {
  const digits = /"child-pid": *(\d+)\b.*\n/.exec(report)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
