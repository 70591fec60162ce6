import type { IconName } from "../style/icons.ts";
// What a tool did, as the middle of a sentence that begins with who did it.

/** `subject` is what it was done to, shown as it is. */
export type ToolWords = { icon: IconName; did: string; would: string; subject?: string };

type Phrase = { icon: IconName; did: string; would: string; field?: string };

const phrases: Readonly<Record<string, Phrase>> = {
  bash: { icon: "terminal", did: "ran a command", would: "run a command", field: "command" },
  exec: { icon: "terminal", did: "ran a command", would: "run a command", field: "command" },
  process: { icon: "terminal", did: "looked at a running command", would: "look at a running command", field: "id" },
  process_control: {
    icon: "terminal",
    did: "steered a running command",
    would: "steer a running command",
    field: "id",
  },
  read: { icon: "file", did: "read", would: "read", field: "path" },
  write: { icon: "edit", did: "wrote", would: "write", field: "path" },
  edit: { icon: "edit", did: "edited", would: "edit", field: "path" },
  delete: { icon: "trash", did: "deleted", would: "delete", field: "path" },
  list: { icon: "file", did: "looked into the folder", would: "look into the folder", field: "path" },
  find: { icon: "search", did: "looked for files named", would: "look for files named", field: "pattern" },
  grep: { icon: "search", did: "searched files for", would: "search files for", field: "pattern" },
  read_output: { icon: "file", did: "read on in a long result", would: "read on in a long result" },
  extract: { icon: "file", did: "took values out of", would: "take values out of", field: "path" },
  web_fetch: { icon: "globe", did: "opened a web page", would: "open a web page", field: "url" },
  web_search: { icon: "globe", did: "searched the web for", would: "search the web for", field: "query" },
  browser: {
    icon: "globe",
    did: "looked at a page in the browser",
    would: "look at a page in the browser",
    field: "url",
  },
  browser_act: {
    icon: "globe",
    did: "acted on a page in the browser",
    would: "act on a page in the browser",
    field: "page",
  },
  send_message: { icon: "send", did: "sent you a message", would: "send you a message", field: "text" },
  send_file: { icon: "attach", did: "sent you a file", would: "send you a file", field: "path" },
};

const tellingFields = ["command", "path", "url", "query", "pattern", "to", "name", "title", "text", "message"];
const mostSubject = 160;

/** `given`: the arguments of the call, when they are known. */
export function toolWords(tool: string, given: unknown): ToolWords {
  const phrase = phrases[tool];
  const subject = subjectOf(given, phrase?.field);
  const words = phrase ?? { icon: "tools", did: `used ${toolName(tool)}`, would: `use ${toolName(tool)}` };
  return { icon: words.icon, did: words.did, would: words.would, ...(subject !== undefined && { subject }) };
}

/** `github_create_issue` → `github create issue` */
export function toolName(tool: string): string {
  return tool.replaceAll(/[_.]+/g, " ").trim();
}

function subjectOf(given: unknown, field: string | undefined): string | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const fields = field === undefined ? tellingFields : [field];
  for (const name of fields) {
    const value: unknown = Reflect.get(given, name);
    if (typeof value === "string" && value.trim() !== "") return oneLine(value);
  }
  return undefined;
}

/** The first words of a text on one line. */
export function oneLine(text: string, most = mostSubject): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}
