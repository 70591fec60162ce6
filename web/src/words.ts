import type { Session } from "../../src/contract/wire/method.ts";

export function formatDateTime(atMs: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(atMs);
}

/** The conversation that a terminal opens by itself. */
const terminalKey = "terminal--default";

/** What a conversation is called: its title, or a plain word for one that has none yet. */
export function sessionName(session: Pick<Session, "title" | "sessionKey">): string {
  const title = session.title.trim();
  // an untitled conversation is listed under its own key, which says nothing to a person
  if (title !== "" && title !== session.sessionKey) return title;
  if (session.sessionKey === terminalKey) return "Terminal";
  const channel = channelOf(session.sessionKey);
  return channel === undefined ? "New chat" : `Chat on ${channelTitles[channel]}`;
}

/** Where people write to Steward beside the page and the terminal, as people call it. */
export const channelTitles = {
  telegram: "Telegram",
  slack: "Slack",
  discord: "Discord",
  email: "Email",
  ntfy: "ntfy",
} as const;
export type ChannelName = keyof typeof channelTitles;

/** The channel on which a conversation takes place; undefined for one of the page, the terminal or a task. */
export function channelOf(sessionKey: string): ChannelName | undefined {
  const [name = ""] = sessionKey.split("--", 1);
  return Object.hasOwn(channelTitles, name) ? (name as ChannelName) : undefined;
}

/** Words without the marks of their form, for a line that shows none. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/[*`]+|(?<!\w)_+|_+(?!\w)/g, "").replaceAll(/^[#>\s]+|[|⏎]+/gm, " ");
}

/** Whether nobody sits in it: the runs of a task, or the heartbeat. */
export function isBackground(sessionKey: string): boolean {
  return sessionKey.startsWith("task--") || sessionKey.startsWith("heartbeat--");
}

/** The task whose runs a conversation holds. */
export function taskOf(sessionKey: string): string | undefined {
  return sessionKey.startsWith("task--") ? sessionKey.slice("task--".length) : undefined;
}
