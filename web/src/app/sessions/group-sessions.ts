import type { Session } from "../../../../src/contract/wire/method.ts";

export type SessionGroup = { title: string; sessions: readonly Session[] };

const dayMs = 24 * 60 * 60 * 1000;

/** Newest first, under the words a person would look for them by. */
export function groupSessions(sessions: readonly Session[], nowMs: number): readonly SessionGroup[] {
  const today = new Date(nowMs).setHours(0, 0, 0, 0);
  // noon, so that days with a clock change do not slip
  const daysBefore = (days: number) => new Date(today + dayMs / 2 - days * dayMs).setHours(0, 0, 0, 0);
  const groups = [
    { title: "Today", sinceMs: today },
    { title: "Yesterday", sinceMs: daysBefore(1) },
    { title: "Last 7 days", sinceMs: daysBefore(7) },
    { title: "Older", sinceMs: Number.NEGATIVE_INFINITY },
  ];
  let untilMs = Number.POSITIVE_INFINITY;
  return groups
    .map(({ title, sinceMs }) => {
      const until = untilMs;
      untilMs = sinceMs;
      return { title, sessions: sessions.filter(({ lastAtMs }) => lastAtMs >= sinceMs && lastAtMs < until) };
    })
    .filter((group) => group.sessions.length > 0);
}
