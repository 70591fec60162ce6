// Every page of the window, in the order of the navigation. Chat is part of the first load; the others come when opened.
import "./chat/chat-page.ts";
import type { Page } from "./app/app.ts";
import type { IconName } from "./style/icons.ts";

export const pages: readonly (Page & { icon: IconName })[] = [
  {
    path: "chat",
    title: "Chat",
    icon: "chat",
    about: "Talk with Steward",
    tag: "steward-chat-page",
    load: () => Promise.resolve(),
  },
  {
    path: "inbox",
    title: "Inbox",
    icon: "inbox",
    about: "Everything that waits for your answer",
    tag: "steward-inbox-page",
    load: () => import("./inbox/inbox-page.ts"),
    badge: (app) => app.approvals.value.length,
  },
  {
    path: "tasks",
    title: "Tasks",
    icon: "tasks",
    about: "What Steward does by itself, and when",
    tag: "steward-tasks-page",
    load: () => import("./tasks/tasks-page.ts"),
  },
  {
    path: "memory",
    title: "Memory",
    icon: "memory",
    about: "Search what was noted and said",
    tag: "steward-memory-page",
    load: () => import("./memory/memory-page.ts"),
  },
  {
    path: "channels",
    title: "Channels",
    icon: "channels",
    about: "Where you can write to Steward, and who else may",
    tag: "steward-channels-page",
    load: () => import("./channels/channels-page.ts"),
  },
  {
    path: "activity",
    title: "Activity",
    icon: "activity",
    about: "What Steward did, and how to take it back",
    tag: "steward-activity-page",
    load: () => import("./activity/activity-page.ts"),
  },
  {
    path: "usage",
    title: "Usage",
    icon: "usage",
    about: "Tokens, money and time",
    tag: "steward-usage-page",
    load: () => import("./usage/usage-page.ts"),
  },
  {
    path: "tools",
    title: "Tools",
    icon: "tools",
    about: "What Steward can do and when it asks first",
    tag: "steward-tools-page",
    load: () => import("./tools/tools-page.ts"),
  },
  {
    path: "settings",
    title: "Settings",
    icon: "settings",
    about: "Change how Steward works",
    tag: "steward-settings-page",
    load: () => import("./settings/settings-page.ts"),
  },
  {
    path: "setup",
    title: "Setup",
    icon: "setup",
    about: "Connect a model",
    tag: "steward-setup-page",
    load: () => import("./setup/setup-page.ts"),
    listed: false,
  },
];
