import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Event, isListed, LoggedEvent } from "../../contract/event.ts";
import { orIfMissing } from "../../contract/failure.ts";
import { blankEvent, blankForgotten } from "../log/blank-event.ts";
import { appendLines, readTail } from "./line-file.ts";
import { mapTexts, redactNamed } from "./map-texts.ts";

type TranscriptDeps = { folder: string; redact(text: string): string };

/**
 * `data/sessions/<key>.jsonl`: one line an event as in the log, which can be rebuilt from them. The arguments of calls are
 * masked here: only the log keeps them exactly, because what is approved is what runs.
 */
export function transcriptWriter({ folder, redact }: TranscriptDeps): (events: readonly Event[]) => Promise<string> {
  const lastSeqs = new Map<string, number>();
  return async (events) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [conversation, group] of Map.groupBy(events, (event) => event.conversation))
      await writeOne(conversation, group);
    return "";
  };

  async function writeOne(conversation: string, events: readonly Event[]): Promise<void> {
    const path = join(folder, `${conversation}.jsonl`);
    const blanked = blankingBy(events);
    if (blanked) {
      lastSeqs.delete(conversation);
      await blankLines(path, blanked);
    }
    await appendMissing(conversation, path, blanked ? events.map(blanked) : events);
  }

  async function appendMissing(conversation: string, path: string, events: readonly Event[]): Promise<void> {
    const known = lastSeqs.get(conversation);
    const tail = known === undefined ? await readTail(path) : undefined;
    const lastSeq = known ?? seqOfLine(tail?.lastLine);
    const missing = events.filter((event) => event.seq > lastSeq);
    // a failed write leaves the end of the file unknown
    lastSeqs.delete(conversation);
    if (missing.length > 0)
      appendLines(
        path,
        missing.map((event) => transcriptLine(masked(event, redact))),
        tail?.wholeBytes,
      );
    lastSeqs.set(conversation, Math.max(lastSeq, missing.at(-1)?.seq ?? 0));
  }
}

/** An event as it is after these; undefined: none of them takes any words away. */
function blankingBy(events: readonly Event[]): ((event: Event) => Event) | undefined {
  const throughSeq = events.findLast((event) => event.type === "conversation.deleted")?.seq ?? 0;
  const seqs = new Set(events.flatMap((event) => (event.type === "messages.forgotten" ? event.seqs : [])));
  if (throughSeq === 0 && seqs.size === 0) return undefined;
  return (event) => {
    if (event.seq < throughSeq) return blankEvent(event);
    return seqs.has(event.seq) ? blankForgotten(event) : event;
  };
}

// before the line that says so is written, so that a crash in between is made good by the next try
async function blankLines(path: string, blanked: (event: Event) => Event): Promise<void> {
  const lines = (await readFile(path, "utf8").catch(orIfMissing(""))).split("\n").filter((line) => line !== "");
  const events = lines.flatMap((line) => LoggedEvent.safeParse(parseOrNothing(line)).data ?? []);
  const text = events.map((event) => `${transcriptLine(blanked(event))}\n`).join("");
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

// a line that a crash cut off is written again from the log
function parseOrNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const roles: { [Type in Event["type"]]?: string } = {
  "message.received": "user",
  "step.finished": "assistant",
  "reply.written": "assistant",
  "tool.returned": "tool",
};

const holdsArguments: ReadonlySet<string> = new Set([
  ...["step.finished", "tool.sent", "approval.asked", "task.made", "task.changed"],
]);

/** Where the model's words for a tool stand, and what other rooms write; what people say is theirs to keep. */
function masked(event: Event, redact: (text: string) => string): Event {
  if (isListed(event.type) && !holdsArguments.has(event.type)) return event;
  const { seq, atMs, type, conversation } = event;
  return {
    ...mapTexts(JSON.stringify(event), (text, name) => redactNamed(redact, text, name)),
    seq,
    atMs,
    type,
    conversation,
  } as Event;
}

function transcriptLine(event: Event): string {
  const { seq, atMs, type, ...rest } = event;
  const role = roles[type];
  return JSON.stringify({ seq, at: new Date(atMs).toISOString(), type, ...(role && { role }), ...rest, atMs });
}

function seqOfLine(line = ""): number {
  return Number(/^\{"seq":(\d+),/.exec(line)?.[1] ?? 0);
}
