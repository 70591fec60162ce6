// What is to be forgotten comes in; every line and message that speaks of it goes out, and what is chosen of them goes for good.
import { setImmediate } from "node:timers/promises";
import { isNote } from "../../contract/names/protected-names.ts";
import type { Sender } from "../../contract/sender.ts";
import type { Database } from "../../store/database/database.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { Forgetting, Forgotten, ToForget, Whose } from "../memory.ts";
import { filesPlaceOf, type KeptVersions, type NotePlaces, type NoteTexts } from "../notes/note-files.ts";
import { listMemoryFiles, readMemoryFile } from "../sources/files.ts";
import { readAsked, type SpeaksOf } from "./asked-words.ts";
import { earlierVersions } from "./earlier-versions.ts";
import { forgetAskingTurn, forgetAskingTurns, noteAskingTurn } from "./forget-asking-turn.ts";
import { forgetLines, goOnForgettingLines, noteLines, planLines, planVersions } from "./forget-lines.ts";
import { chooseMessages } from "./forget-messages.ts";
import { linesOf, shownLine, wholeLine } from "./note-lines.ts";
import { linesOfIt } from "./note-sections.ts";
import { findRecalls } from "./recalls-of-it.ts";
import { findSaid, type Weighed } from "./said-of-it.ts";
import { whatStays } from "./what-stays.ts";

export type ForgettingDeps = NotePlaces & {
  database: Database;
  log: Pick<EventLog, "appendDecided" | "ofTurn">;
  texts: NoteTexts;
  versions: KeptVersions;
  groupOf(conversation: string): Promise<{ name: string } | undefined>;
  /** Further files of the owner's memory, which are only read. */
  extraPaths: readonly string[];
  newId(prefix: string): string;
  /** Of a long output of a tool the whole text, as long as it is kept. */
  wholeOutput(conversation: string, handle: string): Promise<string | undefined>;
  /** The index holds nothing any more of what has left its files. False: it could not be done, and is tried at the next start. */
  catchUpIndex(): Promise<boolean>;
};

export type OpenForgetting = Forgetting & {
  /** A turn is over: if it has asked to forget, what of it speaks of that goes too. */
  afterTurn(turn: string): Promise<void>;
  /** Carries out what an earlier process has begun; answers with what cannot be done yet, each in a sentence. */
  goOn(): Promise<readonly string[]>;
};

const mostMentions = 500;
const onlyRead = "This file is only read. Change it where it lies.";
const onlyCalled = "The file is called that. Rename or delete it where it lies.";

export function openForgetting(deps: ForgettingDeps): OpenForgetting {
  return {
    async mentions(whose, about) {
      const speaksOf = readAsked(about);
      const isTheirs = theirs(deps, whose);
      const said = await findSaid({ ...deps, isTheirs }, speaksOf);
      const lines = await linesThatSpeak(deps, whose, speaksOf);
      const others = [...said.found, ...(await whatStays({ ...deps, isTheirs }, whose, speaksOf))];
      others.sort((one, other) => other.times - one.times || (other.mention.atMs ?? 0) - (one.mention.atMs ?? 0));
      const all = [...lines, ...others];
      const mentions = all.slice(0, mostMentions).map(({ mention }) => mention);
      const earlier = await earlierVersions(deps, whose, { speaksOf, paths: pathsOf(lines) });
      return { mentions, more: said.more || all.length > mostMentions, earlierVersions: [...earlier] };
    },
    forget: (whose, what, by) => forget(deps, whose, what, by),
    afterTurn: (turn) => forgetAskingTurn(deps, turn),
    async goOn() {
      await forgetAskingTurns(deps);
      return goOnForgettingLines(deps);
    },
  };
}

async function forget(deps: ForgettingDeps, whose: Whose, what: ToForget, by: Sender): Promise<Forgotten> {
  const stayed = new Set<string>();
  const tellStayed = (why: string) => void stayed.add(why);
  const speaksOf = what.about === undefined ? undefined : readAsked(what.about);
  const earlier = await earlierToForget(deps, whose, what, speaksOf);
  const plans = [...(await planLines(deps, whose, what.lines, tellStayed)), ...planVersions(deps, whose, earlier)];
  const isTheirs = theirs(deps, whose);
  const allowed: { sessionKey: string; seq: number }[] = [];
  for (const message of what.messages) {
    if (await isTheirs(message.sessionKey)) allowed.push(message);
    else tellStayed("A message was none of this memory, and was not touched.");
  }
  const paths = plans.map(({ planned }) => planned.path).filter((path) => path !== "");
  const recalls = await findRecalls(deps.database, isTheirs, { paths, messages: allowed, speaksOf });
  let messages = 0;
  // all of it is settled in one moment: whoever starts again finishes what was not done yet
  await deps.log.appendDecided(async (tx) => {
    const chosen = await chooseMessages(tx, { asked: allowed, about: what.about, recalls, by }, tellStayed);
    messages = chosen.messages;
    await noteLines(tx, plans);
    if (what.asking && what.about !== undefined) await noteAskingTurn(tx, { ...what.asking, about: what.about, by });
    return chosen.events;
  });
  const lines = await forgetLines(deps, plans, tellStayed);
  return { lines, messages, earlierVersions: earlier.size, stayed: [...stayed] };
}

async function earlierToForget(
  deps: ForgettingDeps,
  whose: Whose,
  { earlierVersions: goes }: ToForget,
  speaksOf: SpeaksOf | undefined,
): Promise<ReadonlySet<string>> {
  if (!speaksOf || goes === false) return new Set();
  const paths = pathsOf(await linesThatSpeak(deps, whose, speaksOf));
  return earlierVersions(deps, whose, { speaksOf, paths });
}

function pathsOf(lines: readonly Weighed[]): ReadonlySet<string> {
  return new Set(lines.flatMap(({ mention }) => mention.path ?? []));
}

/** Each conversation is asked about once. */
function theirs({ groupOf }: ForgettingDeps, { group }: Whose): (conversation: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (conversation) => {
    const before = known.get(conversation);
    if (before !== undefined) return before;
    const isTheirs = (await groupOf(conversation))?.name === group;
    known.set(conversation, isTheirs);
    return isTheirs;
  };
}

/** File by file, in their order. */
async function linesThatSpeak(deps: ForgettingDeps, whose: Whose, speaksOf: SpeaksOf): Promise<readonly Weighed[]> {
  const place = filesPlaceOf(deps, whose, deps.extraPaths);
  const { files, problems } = await listMemoryFiles(place);
  const found: Weighed[] = [];
  for (const { name: path } of files) {
    const file = await readMemoryFile(place, path);
    const lines = linesOf(Buffer.from(file?.text ?? ""));
    const stays = isNote(path) ? {} : { stays: onlyRead };
    // what is shown of a long line is not all of it
    for (const { line, times } of linesOfIt(lines.map(wholeLine), speaksOf)) {
      const text = shownLine(lines[line - 1] ?? Buffer.alloc(0));
      found.push({ mention: { path, line, text, ...stays }, times });
    }
    const timesCalled = speaksOf.times(path);
    if (timesCalled > 0) found.push({ mention: { path, line: 1, text: path, stays: onlyCalled }, times: timesCalled });
    await setImmediate();
  }
  for (const problem of problems) found.push({ mention: { text: "Not looked through", stays: problem }, times: 1 });
  return found;
}
