import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";

export type FileKind = "file" | "folder" | "link" | "other";

/** `id` is the same for every name of one file; `links` says how many names of its own it has. */
export type FileFacts = { kind: FileKind; id: string; links: number };

export type FileLookup = {
  /** The path with every symlink resolved, or undefined when nothing is there. */
  realpath(path: string): string | undefined;
  /** What lies at the path itself, links not followed. */
  facts(path: string): FileFacts | undefined;
  lstat(path: string): FileKind | undefined;
  readlink(path: string): string | undefined;
  /** The names in a folder; none when it cannot be listed. */
  readdir(path: string): readonly string[];
  /** What a file holds, one character a byte; undefined when it is no file or longer than the check will read. */
  read(path: string): string | undefined;
};

export const realFileLookup: FileLookup = {
  // most of what is looked for is missing, and an error made to be caught costs more than the look
  realpath: (path) => (existsSync(path) ? ifThere(() => realpathSync.native(path)) : undefined),
  facts: (path) => factsOf(path),
  lstat: (path) => factsOf(path)?.kind,
  readlink: (path) => ifThere(() => readlinkSync(path)),
  readdir: (path) => ifThere(() => readdirSync(path)) ?? [],
  read: (path) => ifThere(() => readShort(path)),
};

/** Remembers every answer: one judgement looks at many paths more than once, and should see one state of the disk. */
export function rememberLookups(files: FileLookup): FileLookup {
  const facts = remembered(files.facts);
  return {
    // asked first: for what is missing, an exception costs far more than a look
    realpath: remembered((path) => facts(path) && files.realpath(path)),
    facts,
    lstat: (path) => facts(path)?.kind,
    readlink: remembered(files.readlink),
    readdir: remembered(files.readdir),
    read: remembered(files.read),
  };
}

function remembered<Answer>(look: (path: string) => Answer): (path: string) => Answer {
  const answers = new Map<string, Answer>();
  return (path) => {
    if (answers.has(path)) return answers.get(path) as Answer;
    const answer = look(path);
    answers.set(path, answer);
    return answer;
  };
}

function factsOf(path: string): FileFacts | undefined {
  const stats = ifThere(() => lstatSync(path, { throwIfNoEntry: false }));
  return stats && { kind: kindOf(stats), id: `${stats.dev}:${stats.ino}`, links: stats.nlink };
}

function kindOf(stats: Stats): FileKind {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}

const mostBytes = 16 * 1024 * 1024;

function readShort(path: string): string | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= mostBytes ? readFileSync(descriptor, "latin1") : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function ifThere<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    // missing, unreadable and looping paths look the same to the check: there is nothing it may rely on
    return undefined;
  }
}

/** Calls `visit` for everything below a folder, links not followed; false when there is more than the check will look at. */
export function walkTree(
  files: FileLookup,
  folder: string,
  visit: (relativePath: string, kind: FileKind | undefined) => void,
  skip: (relativePath: string) => boolean = () => false,
  mostNames = 20_000,
): boolean {
  let left = mostNames;
  const waiting = [""];
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    for (const name of files.readdir(inside ? `${folder}/${inside}` : folder)) {
      if (left-- <= 0) return false;
      const path = inside ? `${inside}/${name}` : name;
      const kind = files.lstat(`${folder}/${path}`);
      visit(path, kind);
      if (kind === "folder" && !skip(path)) waiting.push(path);
    }
  }
  return true;
}
