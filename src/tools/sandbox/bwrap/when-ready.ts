import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { reportDescriptor } from "./box-program.ts";
import { commandDescriptor } from "./box-reader.ts";

const timeoutMs = 10_000;

/** The number of a box's first process, as soon as its reader waits for a command; undefined: the box came to nothing. */
export function whenReady(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    const streams: readonly (Readable | Writable | null | undefined)[] = child.stdio;
    let report = "";
    let reads = false;
    const timer = setTimeout(resolve, timeoutMs, undefined);
    const give = (pid: number | undefined) => {
      clearTimeout(timer);
      resolve(pid);
    };
    const tryToGive = () => {
      const pid = pidIn(report);
      if (reads && pid !== undefined) give(pid);
    };
    child.once("error", () => give(undefined));
    child.once("exit", () => give(undefined));
    streams[reportDescriptor]?.on("data", (bytes: Buffer) => {
      report += bytes.toString("utf8");
      tryToGive();
    });
    streams[commandDescriptor]?.once("data", () => {
      reads = true;
      tryToGive();
    });
  });
}

/** bwrap's first line, written before anything runs inside. */
function pidIn(report: string): number | undefined {
  const digits = /"child-pid": *(\d+)\b.*\n/.exec(report)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
