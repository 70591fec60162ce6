import type { AccessToken, Scope } from "../../../src/contract/wire/access.ts";
import { formatAgo } from "../../../src/contract/words/amounts.ts";
import { formatDateTime } from "../words.ts";

export const scopeNames: Readonly<Record<Scope, string>> = {
  owner: "Everything",
  read: "Look, but not touch",
  approve: "See and answer questions",
  task: "One conversation",
};

export const scopeMeanings: Readonly<Record<Scope, string>> = {
  owner: "May do all that you can do here, also change settings and give access to others.",
  read: "May read every conversation and the whole log, and change nothing.",
  approve: "May see what waits for an answer and say yes or no.",
  task: "May read and write in a single conversation and sees nothing else.",
};

/** "last used 3 min ago, runs out on 4 Jan 2027, 09:00" */
export function useWords(token: AccessToken, nowMs: number): string {
  const used = token.lastUsedAtMs === undefined ? "never used" : `last used ${formatAgo(token.lastUsedAtMs, nowMs)}`;
  if (token.expiresAtMs === undefined) return used;
  const isOver = token.expiresAtMs <= nowMs;
  return `${used}, ${isOver ? "ran out on" : "runs out on"} ${formatDateTime(token.expiresAtMs)}`;
}

/** Newest use first; what was never used stands at the end. */
export function sortByUse(tokens: readonly AccessToken[]): AccessToken[] {
  return [...tokens].sort((one, other) => (other.lastUsedAtMs ?? 0) - (one.lastUsedAtMs ?? 0));
}
