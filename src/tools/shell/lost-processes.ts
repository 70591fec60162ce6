// Processes outlive Steward by a second at most: the log says which ones went on in the background and whose end nobody was told.
import type { Event } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { processLifeMs } from "./process-registry.ts";
import { shortCommand } from "./process-words.ts";

export type LostProcess = { conversation: string; turn: string; callId: string; id: string; command: string };

const goesOn = /^Goes on in the background as (?<id>p\d+): (?<command>.*)/;
const isEnded = /^(?<id>p\d+) is ended/;
const pageLength = 1_000;

/** The first line of a call's result whose process goes on; `lostProcesses` reads it. */
export function goesOnLine(id: string, command: string): string {
  return `Goes on in the background as ${id}: ${shortCommand(command)}`;
}

/** The first line of a result that has ended a process. */
export function isEndedLine(id: string): string {
  return `${id} is ended.`;
}

/** A command's own output must not pass for the line that only Steward writes. */
export function keepApart(output: string): string {
  return goesOn.test(output) ? `[output]\n${output}` : output;
}

/** Who speaks of a process's end; its id says of which. */
export function processSender(process: Pick<LostProcess, "turn" | "callId" | "id">): Sender {
  return { kind: "system", id: `process:${process.turn}:${process.callId}`, name: process.id };
}

/** Those that went on in the background and whose end nobody was told, in the order in which they began. */
export function lostProcesses(events: readonly Event[]): readonly LostProcess[] {
  const told = new Set(events.flatMap(endTold));
  return events.flatMap((event) => {
    const begun = begunIn(event);
    if (!begun) return [];
    const { conversation, id } = begun;
    return told.has(processSender(begun).id) || told.has(endedKey(conversation, id)) ? [] : [begun];
  });
}

/** Called at the start, before anything is written: what is older than a process can live need not be read. */
export async function findLostProcesses(log: EventLog): Promise<readonly LostProcess[]> {
  const [last] = await log.at([log.lastSeq()]);
  const oldestMs = (last?.atMs ?? 0) - processLifeMs;
  const events: Event[] = [];
  for (let through = log.lastSeq(); through > 0; through -= pageLength) {
    const page = await log.since(Math.max(0, through - pageLength), Math.min(pageLength, through));
    events.unshift(...page.filter((event) => event.atMs >= oldestMs));
    if ((page[0]?.atMs ?? 0) < oldestMs) break;
  }
  return lostProcesses(events);
}

/** The process that goes on after the call whose result this is. */
export function begunIn(event: Event): LostProcess | undefined {
  if (event.type !== "tool.returned" || event.tool !== "exec") return undefined;
  const found = goesOn.exec(event.output)?.groups;
  if (!found?.id) return undefined;
  const { conversation, turn, callId } = event;
  return { conversation, turn, callId, id: found.id, command: found.command ?? "" };
}

function endTold(event: Event): readonly string[] {
  if (event.type === "message.received" || event.type === "message.refused")
    return event.sender.kind === "system" ? [event.sender.id] : [];
  if (event.type !== "tool.returned" || event.tool !== "process_control") return [];
  const id = isEnded.exec(event.output)?.groups?.id;
  return id === undefined ? [] : [endedKey(event.conversation, id)];
}

function endedKey(conversation: string, id: string): string {
  return `${conversation} ${id}`;
}
