// The tools in a person's words: a title, and what one did as the middle of a sentence that begins with who did it.
import { toolSubject } from "../../src/contract/words/tool-summary.ts";
import { visibleLine } from "../../src/contract/words/visible-line.ts";
import type { IconName } from "./style/icons.ts";

/** `subject` is what it was done to, shown as it is. */
export type ToolWords = { icon: IconName; did: string; would: string; subject?: string };

type Phrase = { icon: IconName; title: string; did: string; would: string; field?: string };

const phrases: Readonly<Record<string, Phrase>> = {
  bash: { title: "Run a command", icon: "terminal", did: "ran a command", would: "run a command", field: "command" },
  exec: { title: "Run a command", icon: "terminal", did: "ran a command", would: "run a command", field: "command" },
  process: {
    title: "Look at a running command",
    icon: "terminal",
    did: "looked at a running command",
    would: "look at a running command",
    field: "id",
  },
  process_control: {
    title: "Steer a running command",
    icon: "terminal",
    did: "steered a running command",
    would: "steer a running command",
    field: "id",
  },
  read: { title: "Read a file", icon: "file", did: "read", would: "read", field: "path" },
  write: { title: "Write a file", icon: "edit", did: "wrote", would: "write", field: "path" },
  edit: { title: "Change a file", icon: "edit", did: "edited", would: "edit", field: "path" },
  delete: { title: "Delete files", icon: "trash", did: "deleted", would: "delete", field: "path" },
  list: {
    title: "Look into a folder",
    icon: "file",
    did: "looked into the folder",
    would: "look into the folder",
    field: "path",
  },
  find: {
    title: "Look for files",
    icon: "search",
    did: "looked for files named",
    would: "look for files named",
    field: "pattern",
  },
  grep: {
    title: "Search in files",
    icon: "search",
    did: "searched files for",
    would: "search files for",
    field: "pattern",
  },
  read_output: {
    title: "Read on in a long result",
    icon: "file",
    did: "read on in a long result",
    would: "read on in a long result",
  },
  extract: {
    title: "Take values out of a file",
    icon: "file",
    did: "took values out of",
    would: "take values out of",
    field: "path",
  },
  web_fetch: {
    title: "Open a web page",
    icon: "globe",
    did: "opened a web page",
    would: "open a web page",
    field: "url",
  },
  web_search: {
    title: "Search the web",
    icon: "globe",
    did: "searched the web for",
    would: "search the web for",
    field: "query",
  },
  research: {
    title: "Research on the web",
    icon: "globe",
    did: "researched on the web:",
    would: "research on the web:",
    field: "question",
  },
  browser: {
    title: "Open a page in the browser",
    icon: "globe",
    did: "looked at a page in the browser",
    would: "look at a page in the browser",
    field: "url",
  },
  browser_act: {
    title: "Act on a page in the browser",
    icon: "globe",
    did: "acted on a page in the browser",
    would: "act on a page in the browser",
    field: "page",
  },
  send_message: {
    title: "Send a message",
    icon: "send",
    did: "sent you a message",
    would: "send you a message",
    field: "text",
  },
  schedule_task: {
    title: "Plan something",
    icon: "tasks",
    did: "planned something",
    would: "plan something",
  },
  list_tasks: {
    title: "Look at what is planned",
    icon: "tasks",
    did: "looked at what is planned",
    would: "look at what is planned",
  },
  pause_task: { title: "Pause a task", icon: "pause", did: "paused a task", would: "pause a task", field: "id" },
  resume_task: {
    title: "Let a task go on",
    icon: "play",
    did: "let a task go on",
    would: "let a task go on",
    field: "id",
  },
  run_task: { title: "Run a task now", icon: "play", did: "ran a task", would: "run a task now", field: "id" },
  cancel_task: { title: "End a task", icon: "close", did: "ended a task", would: "end a task", field: "id" },
  task_history: {
    title: "Look at what a task did",
    icon: "tasks",
    did: "looked at what a task did",
    would: "look at what a task did",
    field: "id",
  },
  memory_search: {
    title: "Search memory",
    icon: "memory",
    did: "searched memory for",
    would: "search memory for",
    field: "query",
  },
  memory_get: {
    title: "Read in memory",
    icon: "memory",
    did: "read in memory",
    would: "read in memory",
    field: "path",
  },
  remember: { title: "Note something", icon: "memory", did: "noted", would: "note", field: "text" },
  forget: {
    title: "Forget for good",
    icon: "trash",
    did: "forgot everything about",
    would: "forget everything about",
    field: "about",
  },
  send_file: { title: "Send a file", icon: "attach", did: "sent you a file", would: "send you a file", field: "path" },
};

const mostSubject = 160;

export function toolTitle(tool: string): { icon: IconName; title: string } {
  const { icon, title } = phrases[tool] ?? { icon: "tools", title: `Use ${toolName(tool)}` };
  return { icon, title };
}

/** `given`: the arguments of the call, when they are known. */
export function toolWords(tool: string, given: unknown): ToolWords {
  const phrase = phrases[tool];
  const subject = subjectOf(given, phrase?.field);
  const words = phrase ?? { icon: "tools", did: `used ${toolName(tool)}`, would: `use ${toolName(tool)}` };
  return { icon: words.icon, did: words.did, would: words.would, ...(subject !== undefined && { subject }) };
}

/** How wide a research was: `7 pages`. */
export function pagesRead(tool: string, output: string | undefined): string | undefined {
  return tool === "research" ? /^(\d+ pages?) read\b/.exec(output ?? "")?.[1] : undefined;
}

/** `github_create_issue` → `github create issue` */
export function toolName(tool: string): string {
  return tool.replaceAll(/[_.]+/g, " ").trim();
}

function subjectOf(given: unknown, field: string | undefined): string | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const subject = toolSubject(field === undefined ? given : { [field]: Reflect.get(given, field) });
  return subject === "" ? undefined : visibleLine(subject, mostSubject);
}
