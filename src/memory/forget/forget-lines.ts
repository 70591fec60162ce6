// Lines leave their files for good, with every earlier version that holds them. What is to go is noted first, without its words, so
// that a process which dies in between leaves the rest to the next one.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname } from "node:path/posix";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { isNote } from "../../contract/names/protected-names.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import { putCursor } from "../../store/tables/cursors.ts";
import type { ToForget, Whose } from "../memory.ts";
import { folderOf, type KeptVersions, type NotePlaces, type NoteTexts } from "../notes/note-files.ts";
import { changesOfNotes, type HistoryDeps, versionsOfNotes } from "../notes/note-history.ts";
import { digestOf, holdsLine, linesOf, shownLine, withoutLines } from "./note-lines.ts";
import { blanksLeftOver } from "./note-sections.ts";

export type LinesDeps = NotePlaces &
  Pick<HistoryDeps, "groupOf"> & {
    database: Database;
    texts: NoteTexts;
    versions: KeptVersions;
    newId(prefix: string): string;
    /** The index holds nothing any more of what has left its files. False: it could not be done, and is tried at the next start. */
    catchUpIndex(): Promise<boolean>;
  };

type Asked = ToForget["lines"];

const Planned = z.object({
  group: z.string().optional(),
  path: z.string(),
  /** Of the file before it, and afterwards. */
  before: z.string(),
  after: z.string(),
  lines: z.array(z.object({ line: z.number(), digest: z.string() })),
  /** Empty lines that would be left over. */
  blanks: z.array(z.number()).default([]),
  /** Earlier versions that hold one of the lines. */
  versions: z.array(z.string()),
});
type Planned = z.infer<typeof Planned>;

const noteName = "lines to forget";
const mostAttempts = 3;

export type LinesToForget = { name: string; planned: Planned };

/** Nothing is changed by it; `stayed` is told why a line does not go. */
export async function planLines(
  deps: LinesDeps,
  whose: Whose,
  asked: Asked,
  stayed: (why: string) => void,
): Promise<readonly LinesToForget[]> {
  const plans: LinesToForget[] = [];
  const { others } = asked.length === 0 ? { others: new Set<string>() } : await versionsOfNotes(deps, whose);
  for (const [path, lines] of Map.groupBy(asked, (line) => line.path)) {
    const planned = await plan(deps, whose, { path, lines, others }, stayed);
    if (planned) plans.push({ name: `${noteName} ${deps.newId("f")}`, planned });
  }
  return plans;
}

/** Earlier texts alone, with no line of what stands there now. */
export function planVersions(
  deps: LinesDeps,
  { group }: Whose,
  versions: ReadonlySet<string>,
): readonly LinesToForget[] {
  if (versions.size === 0) return [];
  const planned = { group, path: "", before: "", after: "", lines: [], blanks: [], versions: [...versions] };
  return [{ name: `${noteName} ${deps.newId("f")}`, planned }];
}

/** From then on they go, whatever becomes of this process. */
export async function noteLines(tx: Queryable, plans: readonly LinesToForget[]): Promise<void> {
  for (const { name, planned } of plans) await putCursor(tx, name, { seq: 0, detail: JSON.stringify(planned) });
}

/** Answers how many went. */
export async function forgetLines(
  deps: LinesDeps,
  plans: readonly LinesToForget[],
  stayed: (why: string) => void,
): Promise<number> {
  let gone = 0;
  const out: LinesToForget[] = [];
  for (const { name, planned } of plans) {
    const done = await carryOut(deps, planned);
    if ("gone" in done) {
      if (done.gone < planned.lines.length) stayed(otherWords(planned.path, planned.lines.length - done.gone));
      gone += done.gone;
      out.push({ name, planned });
      continue;
    }
    // that is told now, and the owner asks again
    stayed(done.problem);
    await endNote(deps.database, name);
  }
  if (!(await cleanIndex(deps, out))) stayed("The index could not be cleaned yet. That is done at the next start.");
  return gone;
}

/** What an earlier process did not come to; answers with what cannot be done yet, each in a sentence. */
export async function goOnForgettingLines(deps: LinesDeps): Promise<readonly string[]> {
  const { database } = deps;
  const rows = await database.query("SELECT name, detail FROM cursors WHERE name LIKE ? ORDER BY name", [
    `${noteName} %`,
  ]);
  const problems: string[] = [];
  const out: LinesToForget[] = [];
  for (const { name, detail } of rows) {
    const planned = Planned.parse(JSON.parse(String(detail)));
    const done = await carryOut(deps, planned);
    if ("problem" in done) problems.push(done.problem);
    else out.push({ name: String(name), planned });
  }
  await cleanIndex(deps, out);
  return problems;
}

/** Of what is out already. False: only that is left to do at the next start, and no line is looked for again. */
async function cleanIndex(deps: LinesDeps, out: readonly LinesToForget[]): Promise<boolean> {
  if (out.length === 0) return true;
  const isClean = await deps.catchUpIndex();
  for (const { name, planned } of out) {
    if (isClean) await endNote(deps.database, name);
    else await deps.database.transaction(true, (tx) => noteLines(tx, [{ name, planned: { ...planned, ...nothing } }]));
  }
  return isClean;
}

const nothing = { path: "", lines: [], blanks: [], versions: [] };

async function endNote(database: Database, name: string): Promise<void> {
  await database.transaction(true, (tx) => tx.query("DELETE FROM cursors WHERE name = ?", [name]));
}

async function plan(
  deps: LinesDeps,
  whose: Whose,
  { path, lines, others }: { path: string; lines: Asked; others: ReadonlySet<string> },
  stayed: (why: string) => void,
): Promise<Planned | undefined> {
  if (!isNote(path)) {
    stayed(`${path} is none of the notes of this memory, and is only read. Change it where it lies.`);
    return undefined;
  }
  const read = await deps.texts.read(folderOf(deps, whose), path);
  if ("refused" in read) {
    stayed(read.refused);
    return undefined;
  }
  const there = linesOf(read.bytes);
  const same = lines.filter(({ line, text }) => there[line - 1] && shownLine(there[line - 1] as Buffer) === text);
  const changed = lines.length - same.length;
  if (changed > 0) stayed(otherWords(path, changed));
  const numbers = new Set(same.map(({ line }) => line));
  if (numbers.size === 0) return undefined;
  const bytes = [...numbers].map((line) => there[line - 1] as Buffer).filter(saysSomething);
  const blanks = blanksLeftOver(there.map(shownLine), numbers);
  return {
    group: whose.group,
    path,
    before: read.version,
    after: hashOf(withoutLines(read.bytes, new Set([...numbers, ...blanks]))),
    lines: [...numbers].map((line) => ({ line, digest: digestOf(there[line - 1] as Buffer) })),
    blanks: [...blanks],
    versions: [...(await versionsWith(deps, whose, path, bytes)).difference(others)],
  };
}

/** A line across the page stands in every version, and none goes for it. */
function saysSomething(line: Buffer): boolean {
  return /[\p{L}\p{N}]/u.test(line.toString("utf8"));
}

/** Of the file itself, and of the folders that were deleted with it. */
async function versionsWith(
  deps: LinesDeps,
  whose: Whose,
  path: string,
  lines: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const names = [path];
  for (let name = dirname(path); name !== "."; name = dirname(name)) names.push(name);
  const known = new Set<string>();
  for await (const { before, after } of changesOfNotes(deps, whose, names))
    for (const version of [before, after]) if (version !== null) known.add(version);
  const holding = new Set<string>();
  for (const version of known) {
    const content = await deps.versions.read(version);
    if (content && holdsLine(await buffer(content), lines)) holding.add(version);
  }
  return holding;
}

function otherWords(path: string, lines: number): string {
  return `${path}: ${lines === 1 ? "a line says" : `${lines} lines say`} something else by now. Look at it again.`;
}

/** How many lines went, and the versions of the file that held them; problem: nothing could be written. */
type Done = { gone: number; held: readonly string[] } | { problem: string };

/** May be done again. */
async function carryOut(deps: LinesDeps, planned: Planned): Promise<Done> {
  const done = await takeOut(deps, planned);
  if ("problem" in done) return done;
  const versions = new Set([...planned.versions, ...(await keptMeanwhile(deps, planned, done.held))]);
  for (const version of versions) await rm(deps.versions.pathOf(version), { force: true });
  return done;
}

/** What somebody has written since it was planned may be kept, too. */
async function keptMeanwhile(
  deps: LinesDeps,
  { group, before }: Planned,
  held: readonly string[],
): Promise<Iterable<string>> {
  const unknown = new Set(held.filter((version) => version !== before));
  return unknown.size === 0 ? [] : unknown.difference((await versionsOfNotes(deps, { group })).others);
}

async function takeOut(deps: LinesDeps, { group, path, before, after, lines, blanks }: Planned): Promise<Done> {
  if (path === "") return { gone: 0, held: [] };
  const held: string[] = [];
  const folder = folderOf(deps, { group });
  let problem = "";
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const read = await deps.texts.read(folder, path);
    // a file that is gone holds none of them
    if ("refused" in read) return read.isMissing ? { gone: lines.length, held } : { problem: read.refused };
    if (read.version === after) return { gone: lines.length, held };
    // somebody else has written to it since: only what still stands in its place goes
    const there = linesOf(read.bytes);
    const same = lines.filter(({ line, digest }) => {
      const now = there[line - 1];
      return read.version === before || (now !== undefined && digestOf(now) === digest);
    });
    if (same.length === 0) return { gone: 0, held };
    held.push(read.version);
    const further = read.version === before ? blanks : [];
    const content = withoutLines(read.bytes, new Set([...same.map(({ line }) => line), ...further]));
    const written = await deps.texts.replace(folder, path, { content, expected: read.version, keeps: false });
    if ("refused" in written) return { problem: written.refused };
    if ("version" in written) return { gone: same.length, held };
    problem = written.changed;
  }
  return { problem };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
