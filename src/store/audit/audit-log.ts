import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Event } from "../../contract/event.ts";
import { orIfMissing } from "../../contract/failure.ts";
import { appendLines, readTail } from "../projections/line-file.ts";
import { mapTexts, redactNamed } from "../projections/map-texts.ts";

const maxFieldLength = 20_000;

/** `audit/YYYY-MM-DD.jsonl`: each line holds the hash of the one before it; the newest hash is also kept in the database. */
export const AuditHead = z.object({ seq: z.number(), hash: z.string(), file: z.string() });
export type AuditHead = z.infer<typeof AuditHead>;
export const beforeTheFirstLine: AuditHead = { seq: 0, hash: "0".repeat(64), file: "" };

const Forgotten = z.object({
  ...{ key: z.string(), throughSeq: z.number(), seqs: z.array(z.number()).optional() },
  ...{ lines: z.number(), digest: z.string() },
});
const AuditLine = z.object({
  seq: z.number(),
  conversation: z.string(),
  blank: z.literal(true).optional(),
  previous: z.string(),
  hash: z.string(),
});

export async function openAuditWriter(deps: {
  folder: string;
  head: AuditHead;
  redact(text: string): string;
  /** What a call was told, from the step that made it. */
  inputOf(turn: string, callId: string): Promise<unknown>;
}): Promise<(events: readonly Event[]) => Promise<string>> {
  await mkdir(deps.folder, { recursive: true, mode: 0o700 });
  let head: AuditHead | undefined;
  const wholeBytes = new Map<string, number>();
  // of turns under way; those that began before this process are looked up
  const calls = new Map<string, unknown>();
  return async (events) => {
    head ??= await findHead();
    const knownHead: AuditHead = head;
    const missing = events.filter((event) => event.seq > knownHead.seq);
    // a failed write leaves the end of the files unknown, so the head is found again
    head = undefined;
    let next = knownHead;
    for (const [file, group] of groupByDay(missing)) {
      const lines: string[] = [];
      for (const event of group) {
        const { line, hash } = auditLine(await withInput(event), next.hash, deps.redact);
        lines.push(line);
        next = { seq: event.seq, hash, file };
      }
      appendLines(join(deps.folder, file), lines, wholeBytes.get(file));
      wholeBytes.delete(file);
    }
    head = next;
    return JSON.stringify(next);
  };

  // a line of a call says all of it: what it was told, what came of it, how long it took
  async function withInput(event: Event): Promise<AuditedEvent> {
    if (event.type === "step.finished")
      for (const call of event.toolCalls) calls.set(keyOf(event.turn, call.callId), call.arguments);
    if (event.type === "turn.finished")
      for (const key of calls.keys()) if (key.startsWith(keyOf(event.turn, ""))) calls.delete(key);
    if (event.type !== "tool.returned") return event;
    const key = keyOf(event.turn, event.callId);
    return { ...event, input: calls.has(key) ? calls.get(key) : await deps.inputOf(event.turn, event.callId) };
  }

  // the files may be ahead of the head that the database remembers, never behind it unless somebody cut them
  async function findHead(): Promise<AuditHead> {
    const names = await auditFiles(deps.folder);
    let best = deps.head;
    for (const file of new Set([...names.slice(-3), ...names.filter((name) => name === deps.head.file)])) {
      const tail = await readTail(join(deps.folder, file));
      wholeBytes.set(file, tail.wholeBytes);
      const line = tail.lastLine === undefined ? undefined : readAuditLine(tail.lastLine);
      if (line && line.seq > best.seq) best = { seq: line.seq, hash: line.hash, file };
    }
    return best;
  }
}

/** The names of the files, oldest first. */
export async function auditFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(orIfMissing<string[]>([]));
  return names.filter((name) => name.endsWith(".jsonl")).sort();
}

/** `blank`: the words were deleted, so its hash cannot be computed; a later line vouches for what is left. */
export type ReadAuditLine = z.infer<typeof AuditLine> & {
  text: string;
  computed: string;
  forgotten: z.infer<typeof Forgotten> | undefined;
};

export function readAuditLine(text: string): ReadAuditLine | undefined {
  const body = /^(.*),"hash":"[0-9a-f]{64}"\}$/s.exec(text)?.[1];
  if (body === undefined) return undefined;
  try {
    // the hash is over the very characters of the line, so that no other spelling of the same values passes
    const line: unknown = JSON.parse(text);
    const forgotten = text.includes(',"type":"conversation.forgotten",') ? Forgotten.parse(line) : undefined;
    return { ...AuditLine.parse(line), text, computed: sha256(`${body}}`), forgotten };
  } catch {
    // the caller reports a line that is not an audit line; there is nothing more to say about it here
    return undefined;
  }
}

/** `throughSeq`: the number of the event that says so. `seqs`: only these went; else all that was written before it. */
export type Deletion = { key: string; throughSeq: number; seqs?: readonly number[] | undefined };

/** Whether a line lost its words by a deletion; the key of its conversation may be used again after that. */
export function goesWith({
  key,
  throughSeq,
  seqs,
}: Deletion): (line: { conversation: string; seq: number }) => boolean {
  const chosen = seqs && new Set(seqs);
  return ({ conversation, seq }) => conversation === key && seq < throughSeq && (chosen?.has(seq) ?? true);
}

/** What vouches for lines whose words are gone. */
export function digestOf(lines: readonly string[]): string {
  return sha256(lines.join("\n"));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const keyOf = (turn: string, callId: string) => `${turn} ${callId}`;

type AuditedEvent = Event & { input?: unknown };

function auditLine(
  event: AuditedEvent,
  previous: string,
  redact: (text: string) => string,
): { line: string; hash: string } {
  const { seq, atMs, type, conversation, ...body } = event;
  const shown = mapTexts(JSON.stringify(body), (text, name) => shorten(redactNamed(redact, text, name)));
  // without the salt, the hash of a short line whose words were deleted could be guessed
  const salt = randomBytes(12).toString("base64url");
  const entry = { seq, at: new Date(atMs).toISOString(), type, conversation, ...shown, salt, previous };
  const text = JSON.stringify(entry);
  const hash = sha256(text);
  return { line: `${text.slice(0, -1)},"hash":"${hash}"}`, hash };
}

function shorten(text: string): string {
  if (text.length <= maxFieldLength) return text;
  return `${text.slice(0, maxFieldLength)}… [${text.length - maxFieldLength} more characters, sha256 of the whole ${sha256(text)}]`;
}

function groupByDay(events: readonly Event[]): readonly (readonly [string, readonly Event[]])[] {
  const runs: [string, Event[]][] = [];
  for (const event of events) {
    const file = `${new Date(event.atMs).toISOString().slice(0, 10)}.jsonl`;
    const run = runs.at(-1);
    if (run?.[0] === file) run[1].push(event);
    else runs.push([file, [event]]);
  }
  return runs;
}
