// The list of conversations as a fold over the log, the same one the server keeps in its tables.
import type { Event } from "../../../src/contract/event.ts";
import type { Session } from "../../../src/contract/wire/method.ts";

/** Steward's own book-keeping is written under such keys and is nobody's conversation. */
function isHidden(sessionKey: string): boolean {
  return sessionKey.startsWith("steward--");
}

export function sortSessions(sessions: readonly Session[]): readonly Session[] {
  return sessions.filter(({ sessionKey }) => !isHidden(sessionKey)).sort((a, b) => b.lastAtMs - a.lastAtMs);
}

/** Newest first. An event that the list already knows changes nothing, so telling one again is harmless. */
export function foldSession(sessions: readonly Session[], event: Event): readonly Session[] {
  if (isHidden(event.conversation)) return sessions;
  const known = sessions.find(({ sessionKey }) => sessionKey === event.conversation);
  if (known && event.seq <= known.lastSeq) return sessions;
  const others = sessions.filter((session) => session !== known);
  if (event.type === "conversation.deleted") return known ? others : sessions;
  const place = others.findIndex(({ lastAtMs }) => lastAtMs <= event.atMs);
  return others.toSpliced(place < 0 ? others.length : place, 0, after(known ?? newSession(event), event));
}

function newSession(event: Event): Session {
  return {
    sessionKey: event.conversation,
    title: "",
    messages: 0,
    lastAtMs: event.atMs,
    lastSeq: 0,
    state: "idle",
  };
}

function after(session: Session, event: Event): Session {
  const moved = { ...session, lastAtMs: event.atMs, lastSeq: event.seq };
  switch (event.type) {
    case "message.received":
      return { ...moved, messages: session.messages + 1, title: session.title || titleOf(event.text) };
    case "reply.written":
      return { ...moved, messages: session.messages + 1 };
    case "conversation.configured":
      return { ...moved, ...configured(session, event) };
    case "turn.started":
    case "turn.resumed":
    case "turn.stop_requested":
    case "approval.answered":
      return { ...moved, state: "working" };
    case "turn.waiting":
      return { ...moved, state: "waiting" };
    case "turn.finished":
      return { ...moved, state: "idle" };
    default:
      return moved;
  }
}

function configured(session: Session, event: Extract<Event, { type: "conversation.configured" }>): Partial<Session> {
  return {
    title: event.title ?? session.title,
    model: event.model === undefined ? session.model : (event.model ?? undefined),
    thinking: event.thinking === undefined ? session.thinking : (event.thinking ?? undefined),
    agent: event.agent === undefined ? session.agent : (event.agent ?? undefined),
  };
}

function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
