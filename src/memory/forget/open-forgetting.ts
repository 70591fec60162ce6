// What is to be forgotten comes in; every line and message that speaks of it goes out, and what is chosen of them goes for good.
import { setImmediate } from "node:timers/promises";
import type { Sender } from "../../contract/sender.ts";
import type { Mention } from "../../contract/wire/methods/memory.ts";
import type { Database } from "../../store/database/database.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { listTasks } from "../../store/tasks/tasks.ts";
import type { Forgetting, Forgotten, ToForget, Whose } from "../memory.ts";
import { filesPlaceOf, isNote, type KeptVersions, type NotePlaces, type NoteTexts } from "../notes/note-files.ts";
import { listMemoryFiles, readMemoryFile } from "../sources/files.ts";
import { readAsked, type SpeaksOf } from "./asked-words.ts";
import { forgetLines, goOnForgettingLines, noteLines, planLines } from "./forget-lines.ts";
import { chooseMessages } from "./forget-messages.ts";
import { linesOf, shownLine } from "./note-lines.ts";
import { findRecalls } from "./recalls-of-it.ts";
import { findSaid, type Weighed } from "./said-of-it.ts";

export type ForgettingDeps = NotePlaces & {
  database: Database;
  log: Pick<EventLog, "appendDecided" | "ofTurn">;
  texts: NoteTexts;
  versions: KeptVersions;
  groupOf(conversation: string): Promise<{ name: string } | undefined>;
  /** Further files of the owner's memory, which are only read. */
  extraPaths: readonly string[];
  newId(prefix: string): string;
};

export type OpenForgetting = Forgetting & {
  /** Carries out what an earlier process has begun. `problems`: what cannot be done yet, each in a sentence. */
  goOn(): Promise<{ done: number; problems: readonly string[] }>;
};

const mostMentions = 500;
const onlyRead = "This file is only read. Change it where it lies.";

export function openForgetting(deps: ForgettingDeps): OpenForgetting {
  return {
    async mentions(whose, about) {
      const speaksOf = readAsked(about);
      const said = await findSaid({ ...deps, isTheirs: theirs(deps, whose) }, speaksOf);
      const lines = await linesThatSpeak(deps, whose, speaksOf);
      const all = [...lines, ...said.found, ...(await tasksOf(deps, whose, speaksOf))];
      all.sort((one, other) => other.times - one.times || (other.mention.atMs ?? 0) - (one.mention.atMs ?? 0));
      const mentions = all.slice(0, mostMentions).map(({ mention }) => mention);
      return { mentions, more: said.more || all.length > mostMentions };
    },
    forget: (whose, what, by) => forget(deps, whose, what, by),
    goOn: () => goOnForgettingLines(deps),
  };
}

async function forget(deps: ForgettingDeps, whose: Whose, what: ToForget, by: Sender): Promise<Forgotten> {
  const stayed = new Set<string>();
  const tellStayed = (why: string) => void stayed.add(why);
  const plans = await planLines(deps, whose, what.lines, tellStayed);
  const isTheirs = theirs(deps, whose);
  const allowed: { sessionKey: string; seq: number }[] = [];
  for (const message of what.messages) {
    if (await isTheirs(message.sessionKey)) allowed.push(message);
    else tellStayed("A message was none of this memory, and was not touched.");
  }
  const paths = plans.map(({ planned }) => planned.path);
  const recalls = await findRecalls(deps.database, isTheirs, { paths, messages: allowed });
  let messages = 0;
  // all of it is settled in one moment: whoever starts again finishes what was not done yet
  await deps.log.appendDecided(async (tx) => {
    const chosen = await chooseMessages(tx, { asked: allowed, about: what.about, recalls, by }, tellStayed);
    messages = chosen.messages;
    await noteLines(tx, plans);
    return chosen.events;
  });
  return { lines: await forgetLines(deps, plans, tellStayed), messages, stayed: [...stayed] };
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

async function linesThatSpeak(deps: ForgettingDeps, whose: Whose, speaksOf: SpeaksOf): Promise<readonly Weighed[]> {
  const place = filesPlaceOf(deps, whose, deps.extraPaths);
  const found: Weighed[] = [];
  for (const { name: path } of (await listMemoryFiles(place)).files) {
    const file = await readMemoryFile(place, path);
    const stays = isNote(path) ? {} : { stays: onlyRead };
    for (const [index, line] of linesOf(Buffer.from(file?.text ?? "")).entries()) {
      const text = shownLine(line);
      const times = speaksOf.times(text);
      if (times > 0) found.push({ mention: { path, line: index + 1, text, ...stays }, times });
    }
    await setImmediate();
  }
  return found;
}

/** What somebody planned stays until they change it. */
async function tasksOf(deps: ForgettingDeps, whose: Whose, speaksOf: SpeaksOf): Promise<readonly Weighed[]> {
  const isTheirs = theirs(deps, whose);
  const { tasks } = await listTasks(deps.database, { ended: false, limit: 1_000, offset: 0 });
  const found: Weighed[] = [];
  for (const { definition, madeIn, madeAtMs } of tasks) {
    const { title, action } = definition;
    const times = speaksOf.times([title, ...Object.values(action).map(String)].join("\n"));
    if (times === 0 || !(await isTheirs(madeIn))) continue;
    const mention: Mention = {
      text: title,
      atMs: madeAtMs,
      stays: `The task “${title}” speaks of it. Change or cancel it on the page Tasks.`,
    };
    found.push({ mention, times });
  }
  return found;
}
