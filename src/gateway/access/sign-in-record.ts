// Who came in and who was turned away, for the log: once for each and not for every request, so that nobody can fill the disk.
import { installationKey, type NewEvent } from "../../contract/event.ts";
import { spellOut } from "../../contract/words/spell-out.ts";
import { addressGroup } from "./address-group.ts";

/** Where somebody comes from, and what they say they are. */
export type Visitor = { from: string; userAgent: string | undefined };
export type Attempt = Extract<NewEvent, { type: "access.refused" }>["what"];

type SignInRecordDeps = {
  append(events: readonly NewEvent[]): Promise<unknown>;
  nowMs(): number;
  onTrouble(message: string, cause: unknown): void;
};

const knownForMs = 24 * 3_600_000;
const countedForMs = 3_600_000;
const mostPlaces = 40;
const elsewhere = "other addresses";

type Count = { what: Attempt; from: string; client: string; tokenId: string | undefined; times: number };

export function openSignInRecord(deps: SignInRecordDeps) {
  const known = new Map<string, number>();
  let counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | undefined;
  let written: Promise<unknown> = Promise.resolve();
  return {
    /** By a token or session: the first time in a day from this place. */
    known(token: { id: string; name: string }, how: "token" | "session", visitor: Visitor): void {
      const from = addressGroup(visitor.from);
      const key = `${token.id} ${from}`;
      const nowMs = deps.nowMs();
      if (nowMs - (known.get(key) ?? Number.NEGATIVE_INFINITY) < knownForMs) return;
      known.delete(key);
      known.set(key, nowMs);
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size > mostPlaces * 10) known.delete(oldest);
      signedIn(token, how, visitor);
    },
    /** By a code: always. */
    exchanged(token: { id: string; name: string }, visitor: Visitor): void {
      known.set(`${token.id} ${addressGroup(visitor.from)}`, deps.nowMs());
      signedIn(token, "code", visitor);
    },
    /** The first time at once; what follows within the hour is counted. `tokenId`: one of ours that no longer counts. */
    refused(what: Attempt, visitor: Visitor, tokenId?: string): void {
      // a token that has ended must not be blamed for what was tried without it
      const keyAt = (from: string) => JSON.stringify([what, from, tokenId]);
      const group = addressGroup(visitor.from);
      const isFull = counts.size >= mostPlaces && !counts.has(keyAt(group));
      const from = isFull ? elsewhere : group;
      const count = counts.get(keyAt(from));
      if (count) count.times += 1;
      else {
        const attempt = { what, from, client: clientOf(visitor), tokenId, times: 1 };
        counts.set(keyAt(from), { ...attempt, times: 0 });
        write([refusal(attempt)]);
      }
      timer ??= setTimeout(tellCounts, countedForMs).unref();
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      tellCounts();
      await written;
    },
  };

  function signedIn(
    { id: tokenId, name }: { id: string; name: string },
    how: "code" | "token" | "session",
    visitor: Visitor,
  ) {
    const place = { from: visitor.from, client: clientOf(visitor) };
    write([{ type: "access.signed_in", conversation: installationKey, tokenId, name, how, ...place }]);
  }

  function tellCounts(): void {
    timer = undefined;
    const told = [...counts.values()].filter(({ times }) => times > 0);
    counts = new Map();
    if (told.length > 0) write(told.map(refusal));
  }

  // nobody waits for it, and a full disk is no reason to lock the owner out of seeing so
  function write(events: readonly NewEvent[]): void {
    written = Promise.allSettled([written, deps.append(events)]).then(([, result]) => {
      if (result?.status === "rejected") deps.onTrouble("It could not be written down who came in.", result.reason);
    });
  }
}

function refusal({ tokenId, ...count }: Count): NewEvent {
  return { type: "access.refused", conversation: installationKey, ...count, ...(tokenId !== undefined && { tokenId }) };
}

function clientOf({ userAgent = "" }: Visitor): string {
  return spellOut(userAgent.slice(0, 80)).replaceAll("\n", " ");
}
