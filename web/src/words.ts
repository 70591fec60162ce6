import type { Session } from "../../src/contract/wire/method.ts";

export function formatDateTime(atMs: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(atMs);
}

/** What a conversation is called: its title, or a plain word for one that has none yet. */
export function sessionName(session: Pick<Session, "title" | "sessionKey">): string {
  const title = session.title.trim();
  // an untitled conversation is listed under its own key, which says nothing to a person
  return title === "" || title === session.sessionKey ? "New chat" : title;
}
