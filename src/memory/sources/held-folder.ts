// Folders held open by descriptor: whatever is renamed between check and use (TOCTOU), a name is looked up in the folder that was
// opened, and no symbolic link is followed on the way.
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
} from "node:fs";
import { Failure } from "../../contract/failure.ts";

export type HeldFolder = {
  descriptor: number;
  path: string;
  /** What is below it must be on this mount, too; undefined: anything goes. */
  mount: string | undefined;
};

export type Place = {
  /** It may be a link itself: whoever settled it has chosen it. */
  root: string;
  parts: readonly string[];
  staysOnMount: boolean;
};

// macOS: O_NOFOLLOW_ANY, which refuses a link in any part of the path; Node does not name it
const isMacOs = process.platform === "darwin";
const noFollow = isMacOs ? 0x20000000 : constants.O_NOFOLLOW;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | noFollow;
// without O_NONBLOCK a pipe put in the file's place would hold the thread for ever
const fileFlags = constants.O_RDONLY | constants.O_NONBLOCK | noFollow;

/** Holds the folder open while it is used; throws what the system says if there is none. */
export function withFolder<Result>(place: Place, use: (folder: HeldFolder) => Result): Result {
  const path = realpathSync(place.root);
  const descriptor = openSync(path, folderFlags);
  try {
    const mount = place.staysOnMount ? mountOf(descriptor) : undefined;
    return enterAll({ descriptor, path, mount }, place.parts, use);
  } finally {
    closeSync(descriptor);
  }
}

function enterAll<Result>(folder: HeldFolder, parts: readonly string[], use: (folder: HeldFolder) => Result): Result {
  const [name, ...rest] = parts;
  return name === undefined ? use(folder) : withFolderIn(folder, name, (next) => enterAll(next, rest, use));
}

/** Holds a folder of a held folder open while it is used. */
export function withFolderIn<Result>(parent: HeldFolder, name: string, use: (folder: HeldFolder) => Result): Result {
  const path = `${parent.path}/${name}`;
  const descriptor = openSync(beneath(parent, name), folderFlags);
  try {
    refuseOtherMount(parent, descriptor);
    return use({ ...parent, descriptor, path });
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined: it is gone. */
export function lookAt(folder: HeldFolder, name: string): BigIntStats | undefined {
  return lstatSync(beneath(folder, name), { bigint: true, throwIfNoEntry: false });
}

/** Throws what the system says if it may not be read. */
export function checkReadable(folder: HeldFolder, name: string): void {
  accessSync(beneath(folder, name), constants.R_OK);
}

/** In their order; of more than so many, some. */
export function namesIn(folder: HeldFolder, most: number): readonly string[] {
  const names: string[] = [];
  const opened = opendirSync(beneath(folder, "."));
  try {
    for (let entry = opened.readSync(); entry && names.length < most; entry = opened.readSync()) names.push(entry.name);
  } finally {
    opened.closeSync();
  }
  return names.sort();
}

/** A plain file, held open while it is used. Undefined: it is something else. */
export function withFileIn<Result>(
  folder: HeldFolder,
  name: string,
  use: (file: { descriptor: number; stats: BigIntStats }) => Result,
): Result | undefined {
  // what is no file is not even opened: opening a device may do something
  if (!lookAt(folder, name)?.isFile()) return undefined;
  const descriptor = openSync(beneath(folder, name), fileFlags);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return undefined;
    refuseOtherMount(folder, descriptor);
    return use({ descriptor, stats });
  } finally {
    closeSync(descriptor);
  }
}

export function readBytes(descriptor: number, mostBytes: number): Buffer {
  const buffer = Buffer.alloc(mostBytes);
  let filled = 0;
  while (filled < mostBytes) {
    const count = readSync(descriptor, buffer, filled, mostBytes - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function refuseOtherMount({ mount, path }: HeldFolder, descriptor: number): void {
  if (mount !== undefined && mount !== mountOf(descriptor))
    throw new Failure(`something from elsewhere is mounted in ${path}`);
}

/** Linux tells two mounts of one disk apart. */
function mountOf(descriptor: number): string {
  const told = process.platform === "linux" ? readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8") : "";
  return /^mnt_id:\s*(\d+)/m.exec(told)?.[1] ?? `disk ${fstatSync(descriptor, { bigint: true }).dev}`;
}

/** Node has no openat: on Linux the descriptor's entry in /proc leads into the held folder; macOS has none, and joins. */
function beneath(folder: HeldFolder, name: string): string {
  return isMacOs ? `${folder.path}/${name}` : `/proc/self/fd/${folder.descriptor}/${name}`;
}
