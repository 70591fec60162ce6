// Calls on their way: those that wait for a connection and those that wait for their answer.
import { CallFailed } from "./gateway-link.ts";
import type { Timers } from "./timers.ts";

type Call = { id: string; text: string; resolve(result: unknown): void; reject(failed: CallFailed): void };

export type PendingCalls = {
  add(method: string, params: unknown): Promise<unknown>;
  /** From now on calls are sent at once, and those that waited are sent in their order. */
  open(send: (text: string) => void): void;
  /** What was sent will never be answered; what is called from now on waits. */
  lost(): void;
  /** Nothing will be sent any more until the next `open`: whoever waits is told now. */
  refuse(code: string, message: string): void;
  answered(id: string, result: unknown): void;
  refused(id: string, code: string, message: string): void;
};

const longestWaitMs = 15_000;

export function openPendingCalls(timers: Timers): PendingCalls {
  const waiting = new Map<string, Call>();
  const sent = new Map<string, Call>();
  let send: ((text: string) => void) | undefined;
  let count = 0;

  return {
    add(method, params) {
      count += 1;
      const id = `c${count}`;
      return new Promise<unknown>((resolve, reject) => {
        const call: Call = { id, text: JSON.stringify({ id, method, params }), resolve, reject };
        if (send) return dispatch(call, send);
        waiting.set(id, call);
        timers.after(longestWaitMs, () => giveUp(id));
      });
    },
    open(way) {
      send = way;
      for (const call of take(waiting)) dispatch(call, way);
    },
    lost() {
      send = undefined;
      for (const call of take(sent)) {
        call.reject(new CallFailed("lost", "The connection broke before Steward had answered."));
      }
    },
    refuse(code, message) {
      for (const call of take(waiting)) call.reject(new CallFailed(code, message));
    },
    answered: (id, result) => settle(id)?.resolve(result),
    refused: (id, code, message) => settle(id)?.reject(new CallFailed(code, message)),
  };

  function dispatch(call: Call, way: (text: string) => void): void {
    sent.set(call.id, call);
    way(call.text);
  }

  function giveUp(id: string): void {
    const call = waiting.get(id);
    waiting.delete(id);
    call?.reject(new CallFailed("lost", "Steward is not answering. Try again when it is back."));
  }

  function settle(id: string): Call | undefined {
    const call = sent.get(id);
    sent.delete(id);
    return call;
  }
}

function take(calls: Map<string, Call>): readonly Call[] {
  const all = [...calls.values()];
  calls.clear();
  return all;
}
