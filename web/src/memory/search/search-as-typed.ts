// The memory searched while somebody types: one question at a time, and only the newest answer counts.
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { GatewayLink } from "../../gateway/gateway-link.ts";
import type { Timers } from "../../gateway/timers.ts";
import { type Answered, load } from "../../settings/loading.ts";
import { openWatched, type Watched } from "../../state/watched.ts";

export type Found =
  | { kind: "nothing asked" }
  | { kind: "searching" }
  /** `query`: what these are the finds for; somebody may be typing another one. */
  | { kind: "found"; query: string; answer: MethodResult<"memory.search"> }
  | { kind: "failed"; message: string };

export type SearchAsTyped = {
  found: Watched<Found>;
  ask(query: string): void;
  /** What was asked and waits for a pause in typing, at once. */
  askNow(): void;
  /** The same again, at once. */
  askAgain(): void;
};

const pauseMs = 180;
const mostCharacters = 2_000;

export function openSearchAsTyped(link: GatewayLink, timers: Timers, group: string | undefined): SearchAsTyped {
  const found = openWatched<Found>({ kind: "nothing asked" });
  let asked = "";
  let waiting: (() => void) | undefined;
  return {
    found,
    ask(query) {
      const wanted = query.trim().slice(0, mostCharacters);
      if (wanted === asked) return;
      asked = wanted;
      waiting?.();
      waiting = undefined;
      if (asked === "") return found.set({ kind: "nothing asked" });
      if (found.value.kind !== "found") found.set({ kind: "searching" });
      waiting = timers.after(pauseMs, () => void search(asked));
    },
    askNow() {
      if (!waiting) return;
      waiting();
      void search(asked);
    },
    askAgain() {
      found.set({ kind: "searching" });
      void search(asked);
    },
  };

  async function search(query: string): Promise<void> {
    waiting = undefined;
    const answer = await load(() => link.call("memory.search", { query, ...(group !== undefined && { group }) }));
    if (query === asked) found.set(foundOf(query, answer));
  }
}

function foundOf(query: string, answer: Answered<MethodResult<"memory.search">>): Found {
  if (answer.state === "failed") return { kind: "failed", message: answer.message };
  return { kind: "found", query, answer: answer.value };
}
