// A box prints into a file and its launcher reports into another, so that both outlive Steward; see `replay-command.ts`.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { basename, join } from "node:path";

export type BoxRecord = {
  /** Handed to the box, which prints there; the only one of these that a command ever holds. */
  output: number;
  /** Handed to the launcher. */
  report: number;
  /** Reads what was printed from a position on; 0: nothing more so far. */
  read(into: Buffer, position: number): number;
  printedBytes(): number;
  reported(): string;
  /** Whether the disk has no room for more of what a command prints. */
  isFull(): boolean;
  /** Called right before the command begins: from now on a later process finds it in that folder. */
  moveTo(place: string): void;
  /** Called once, after the box has ended. */
  close(): void;
};

export type BoxRecords = {
  make(): BoxRecord;
  /** Removes what was not moved of records that are closed; until then it waits for the next record to be made. */
  removeClosed(): void;
};

/** Made by a process that is gone, and maybe still there itself. */
export type LeftRecord = { folder: string; isMoved: boolean };

// the number of the process that has made it and when that began, since numbers come again; then what no other record has
const recordName = /^box-(?<maker>\d+)-(?<begun>\d+)-[\da-f]+$/;
/** More than anybody ever reports. */
const reportBytes = 2048;
const neededBytes = 64 * 1024 ** 2;
const fullBelowBytes = 1024 ** 2;

export const pathsOf = (folder: string) => ({ output: join(folder, "output"), report: join(folder, "report") });

/** The first of the folders that has room is used. Records that lie in the very first one can be moved. */
export function openBoxRecords(folders: readonly [string, ...string[]]): BoxRecords {
  const name = `box-${process.pid}-${beginningOf(process.pid)}`;
  const closed: string[] = [];
  let usable: readonly string[] | undefined;
  return { make, removeClosed };

  function removeClosed(): void {
    for (const folder of closed.splice(0)) rmSync(folder, { recursive: true, force: true });
  }

  function make(): BoxRecord {
    removeClosed();
    usable ??= folders.filter(isOwnFolder);
    const parent = usable.find((folder) => freeBytes(folder) >= neededBytes);
    if (!parent) throw new Error(`${folders[0]} has no room for what a command prints: free some space on that disk.`);
    return openRecord(join(parent, `${name}-${randomBytes(6).toString("hex")}`), closed);
  }
}

/** The record that was moved to a place. */
export function recordAt(place: string): string | undefined {
  const name = readdirSync(place).find((one) => recordName.test(one));
  return name === undefined ? undefined : join(place, name);
}

/** Those of processes that are gone, also where they were moved to a place in the folder. */
export function leftRecords(folder: string): LeftRecord[] {
  // one in memory lies where every user of the machine may make folders
  if (!isOwn(folder)) return [];
  return readdirSync(folder).flatMap((name): LeftRecord[] => {
    const path = join(folder, name);
    const isMoved = !recordName.test(name);
    const found = isMoved ? recordAt(path) : path;
    return found === undefined || !isLeft(basename(found)) ? [] : [{ folder: found, isMoved }];
  });
}

function isLeft(name: string): boolean {
  const { maker, begun } = recordName.exec(name)?.groups ?? {};
  return beginningOf(Number(maker)) !== begun;
}

/** In ticks since the machine was started. */
function beginningOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the program's name stands before these in brackets and may hold some itself
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    // there is no such process
    return undefined;
  }
}

function openRecord(folder: string, closed: string[]): BoxRecord {
  mkdirSync(folder, { mode: 0o700 });
  const paths = pathsOf(folder);
  const { O_CREAT, O_EXCL, O_RDWR, O_APPEND } = constants;
  // nobody can open it for writing once more: a redirection to /dev/stdout would empty it
  const output = openSync(paths.output, O_CREAT | O_EXCL | O_RDWR | O_APPEND, 0o400);
  const report = openSync(paths.report, O_CREAT | O_EXCL | O_RDWR | O_APPEND, 0o600);
  let isMoved = false;
  return {
    output,
    report,
    read: (into, position) => readSync(output, into, 0, into.length, position),
    printedBytes: () => fstatSync(output).size,
    reported,
    // by way of the open file: the folder may be gone by now
    isFull: () => freeBytes(`/proc/self/fd/${output}`) < fullBelowBytes,
    moveTo,
    close,
  };

  function moveTo(place: string): void {
    try {
      renameSync(folder, join(place, basename(folder)));
      isMoved = true;
    } catch {
      // a place without a record would say that the command never began
      rmSync(place, { recursive: true, force: true });
    }
  }

  function reported(): string {
    const bytes = Buffer.allocUnsafe(reportBytes);
    return bytes.toString("utf8", 0, readSync(report, bytes, 0, bytes.length, 0));
  }

  function close(): void {
    for (const descriptor of [output, report]) closeSync(descriptor);
    if (!isMoved) closed.push(folder);
  }
}

function isOwnFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwn(folder);
  } catch {
    // a folder that cannot be made is no place for a record; the next one is tried
    return false;
  }
}

function isOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
