// A conversation as the notes of a workspace: a file for each session, a line for each turn.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Conversation, dayOf, type Query } from "./conversations.ts";

/** `evidence`: the lines that hold the answer, each as `path#line`. */
export type Question = Omit<Query, "evidence"> & { evidence: ReadonlySet<string> };

export type WrittenNotes = {
  folder: string;
  /** By the path below the folder: the lines of each file. */
  files: ReadonlyMap<string, readonly string[]>;
  questions: readonly Question[];
};

export async function writeNotes(folder: string, conversation: Conversation): Promise<WrittenNotes> {
  const places = new Map<string, string>();
  const files = new Map<string, readonly string[]>();
  await mkdir(join(folder, "memory"), { recursive: true });
  for (const [at, session] of conversation.sessions.entries()) {
    const day = dayOf(session);
    const path = `memory/${day}-s${at + 1}.md`;
    const head = [`# Session ${at + 1}, ${day}`, ""];
    const lines = [...head, ...session.turns.map(({ speaker, text }) => `${speaker}: ${text}`)];
    for (const [turn, { id }] of session.turns.entries()) places.set(id, lineName(path, head.length + turn + 1));
    files.set(path, lines);
    await writeFile(join(folder, path), `${lines.join("\n")}\n`);
  }
  const placeOf = (turn: string) => {
    const place = places.get(turn);
    if (place === undefined) throw new Error(`${conversation.id} names a turn ${turn} that it does not have.`);
    return place;
  };
  const questions = conversation.queries.map((query) => ({
    ...query,
    evidence: new Set(query.evidence.map(placeOf)),
  }));
  return { folder, files, questions };
}

/** Counted from 1. */
export function lineName(path: string, line: number): string {
  return `${path}#${line}`;
}
