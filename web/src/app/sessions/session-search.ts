// Full-text search while typing: one question at a time, and only the newest answer counts.
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { CallFailed, type GatewayLink } from "../../gateway/gateway-link.ts";
import type { Timers } from "../../gateway/timers.ts";
import { openWatched, type Watched } from "../../state/watched.ts";

export type SearchHit = MethodResult<"sessions.search">["hits"][number];
export type Found =
  | { kind: "nothing asked" }
  | { kind: "searching" }
  | { kind: "hits"; hits: readonly SearchHit[] }
  | { kind: "failed"; message: string };

export type SessionSearch = { found: Watched<Found>; ask(query: string): void };

const pauseMs = 180;

export function openSessionSearch(link: GatewayLink, timers: Timers): SessionSearch {
  const found = openWatched<Found>({ kind: "nothing asked" });
  let asked = "";
  let stopWaiting = () => {};
  return {
    found,
    ask(query) {
      asked = query.trim();
      stopWaiting();
      if (asked.length < 2) return found.set({ kind: "nothing asked" });
      if (found.value.kind !== "hits") found.set({ kind: "searching" });
      stopWaiting = timers.after(pauseMs, () => void search(asked));
    },
  };

  async function search(query: string): Promise<void> {
    const answer = await answerOf(query);
    if (query === asked) found.set(answer);
  }

  async function answerOf(query: string): Promise<Found> {
    try {
      const { hits } = await link.call("sessions.search", { query: query.slice(0, 200), limit: 20 });
      return { kind: "hits", hits };
    } catch (cause) {
      if (!(cause instanceof CallFailed)) throw cause;
      return { kind: "failed", message: cause.message };
    }
  }
}
