// What went wrong without anybody waiting for it becomes part of the log, so that the audit and a person who looks back know of it.
import { installationKey } from "../../contract/event.ts";
import type { EventLog } from "./event-log.ts";

export type TroubleRecord = {
  add(message: string, cause: unknown): void;
  /** From now on it is written; what came before goes first. */
  writeTo(log: Pick<EventLog, "append">): void;
};

export type TroubleDeps = {
  nowMs(): number;
  /** Every one of them, for whoever looks for a fault. */
  tell(message: string, cause: unknown): void;
  redact(text: string): string;
};

// writing may be what goes wrong: the same message is not written again for a while, so that no trouble feeds itself
const againAfterMs = 600_000;
const mostWaiting = 20;
const mostKnown = 200;

export function openTroubleRecord(deps: TroubleDeps): TroubleRecord {
  const toldAtMs = new Map<string, number>();
  const waiting: { message: string; cause: unknown }[] = [];
  let log: Pick<EventLog, "append"> | undefined;
  return {
    add(message, cause) {
      deps.tell(message, cause);
      if (deps.nowMs() - (toldAtMs.get(message) ?? Number.NEGATIVE_INFINITY) < againAfterMs) return;
      if (toldAtMs.size >= mostKnown) toldAtMs.clear();
      toldAtMs.set(message, deps.nowMs());
      if (log) write(log, message, cause);
      else if (waiting.length < mostWaiting) waiting.push({ message, cause });
    },
    writeTo(opened) {
      log = opened;
      for (const { message, cause } of waiting.splice(0)) write(opened, message, cause);
    },
  };

  function write(opened: Pick<EventLog, "append">, message: string, cause: unknown): void {
    const { reason, stack } = inWords(cause);
    const { redact } = deps;
    const words = { message: redact(message), reason: redact(reason), ...(stack && { stack: redact(stack) }) };
    opened
      .append([{ type: "trouble.met", conversation: installationKey, ...words }])
      // the log file has it already, and a log that cannot be written has nothing to add to it
      .catch(() => undefined);
  }
}

function inWords(cause: unknown): { reason: string; stack?: string } {
  if (!(cause instanceof Error)) return { reason: cause === undefined ? "" : String(cause) };
  return { reason: cause.message, ...(cause.stack && { stack: cause.stack }) };
}
