// Everything the command palette can do: the window's actions, its pages, its conversations, its tasks.

import { formatAgo } from "../../../../src/contract/words/amounts.ts";
import { viewPath } from "../../memory/memory-view.ts";
import { pages } from "../../pages.ts";
import { load } from "../../settings/loading.ts";
import { channelIcons } from "../../style/channel-mark.ts";
import type { IconName } from "../../style/icons.ts";
import { channelOf, channelTitles, isBackground, sessionName } from "../../words.ts";
import type { App } from "../app.ts";
import type { Frame } from "../frame.ts";
import { openSessionKey, readRoute } from "../route.ts";
import { stopAnswer } from "../sessions/session-actions.ts";

const mostTasks = 500;

export type Command = {
  id: string;
  group: "Do" | "Go to" | "Conversations" | "Tasks";
  title: string;
  /** More words to find it by, and shown beside it. */
  about: string;
  icon: IconName;
  run(): void | Promise<void>;
};

export type PaletteScene = {
  frame: Frame;
  notifications: Awaited<ReturnType<App["notifications"]["state"]>>;
  showHelp(): void;
};

export function paletteCommands(scene: PaletteScene): readonly Command[] {
  return [...actionCommands(scene), ...pageCommands(scene.frame), ...sessionCommands(scene.frame)];
}

/** For words that nothing else may be called. */
export function memoryCommand({ app }: Frame, query: string): Command {
  return {
    id: "search-memory",
    group: "Do",
    title: `Search memory for “${query}”`,
    ...{ about: "Notes and conversations", icon: "memory" },
    run: () => app.go(viewPath({ view: "search", query })),
  };
}

function actionCommands({ frame, notifications, showHelp }: PaletteScene): readonly Command[] {
  const { app } = frame;
  const action = (id: string, icon: IconName, title: string, about: string, run: Command["run"]): Command => ({
    id,
    group: "Do",
    icon,
    title,
    about,
    run,
  });
  const openKey = openSessionKey(readRoute(pages, frame.address.path.value));
  const open = app.sessions.value.find((session) => session.sessionKey === openKey);
  const isDark = app.theme.value === "dark";
  const commands = [
    open && open.state !== "idle"
      ? action("stop", "stop", "Stop the answer", "In this conversation", () => stopAnswer(app, open.sessionKey))
      : undefined,
    action("new-chat", "plus", "New chat", "Start a conversation", () => app.go("/")),
    action("new-task", "tasks", "New task", "Have something done at a time", () => app.go("/tasks/new")),
    action("new-reminder", "bell", "New reminder", "Be told your own words", () => app.go("/tasks/new/reminder")),
    action("memory", "search", "Search the memory", "What was noted and said", () => app.go("/memory")),
    action("forget", "trash", "Forget something", "Everything about a name or a thing", () => app.go("/memory/forget")),
    isDark ? undefined : action("dark", "moon", "Use dark colours", "Theme", () => app.theme.set("dark")),
    app.theme.value === "light"
      ? undefined
      : action("light", "sun", "Use light colours", "Theme", () => app.theme.set("light")),
    app.theme.value === "system"
      ? undefined
      : action("system", "settings", "Use the system's colours", "Theme", () => app.theme.set("system")),
    notifications === "off"
      ? action("allow", "bell", "Allow notifications", "Be told when something waits for you", () =>
          report(frame, "allow"),
        )
      : undefined,
    notifications === "on"
      ? action("silence", "bell", "Turn notifications off", "On this device", () => report(frame, "stop"))
      : undefined,
    action("help", "help", "Keyboard", "Show all keys", showHelp),
    action("sign-out", "door", "Sign out", "This browser only", () => signOut(frame)),
  ];
  return commands.filter((command) => command !== undefined);
}

function pageCommands({ app }: Frame): readonly Command[] {
  return pages.map((page) => ({
    id: `page-${page.path}`,
    group: "Go to",
    title: page.title,
    about: page.about,
    icon: page.icon,
    run: () => app.go(`/${page.path}`),
  }));
}

function sessionCommands({ app }: Frame): readonly Command[] {
  const spokenIn = app.sessions.value.filter(({ sessionKey }) => !isBackground(sessionKey));
  return spokenIn.map((session) => {
    const channel = channelOf(session.sessionKey);
    const ago = formatAgo(session.lastAtMs, Date.now());
    return {
      id: `session-${session.sessionKey}`,
      group: "Conversations",
      title: sessionName(session),
      about: channel === undefined ? ago : `${channelTitles[channel]}, ${ago}`,
      icon: channel === undefined ? "chat" : channelIcons[channel],
      run: () => app.go(`/chat/${encodeURIComponent(session.sessionKey)}`),
    };
  });
}

/** None when they cannot be read: everything else works without them. */
export async function taskCommands({ app }: Frame): Promise<readonly Command[]> {
  const read = await load(() => app.link.call("tasks.list", { limit: mostTasks }));
  if (read.state === "failed") return [];
  return read.value.tasks.map(({ id, title, when, action }) => ({
    id: `task-${id}`,
    group: "Tasks",
    title,
    about: when,
    icon: action.kind === "say" ? "bell" : "tasks",
    run: () => app.go(`/tasks/${encodeURIComponent(id)}`),
  }));
}

async function report({ app }: Frame, what: "allow" | "stop"): Promise<void> {
  const { ok, text } = await app.notifications[what]();
  app.say(text, { tone: ok ? "good" : "warning" });
}

async function signOut({ app, signOut: leave }: Frame): Promise<void> {
  const signedOut = await leave();
  if (!signedOut.ok) app.say(signedOut.problem, { tone: "error" });
}
