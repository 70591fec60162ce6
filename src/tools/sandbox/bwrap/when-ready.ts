import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { innerPidIn } from "../record/box-report.ts";
import type { StartedProcess } from "../start-command.ts";
import { commandDescriptor } from "./box-reader.ts";

const timeoutMs = 5_000;

/** The number of a box's first process, as soon as its reader waits for a command; undefined: the box came to nothing. */
export async function whenReady({ child, record }: StartedProcess): Promise<number | undefined> {
  return (await hearsReader(child)) ? innerPidIn(record?.reported() ?? "") : undefined;
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
