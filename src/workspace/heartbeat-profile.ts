// A heartbeat comes many times a day, so it carries few words and few tools.
import { isBeat, tidyConversation } from "../contract/task/task.ts";
import type { ConventionFile } from "./convention-files.ts";

// what looks and tells; whatever more there is to do is planned as a task, which has all tools
const tools: ReadonlySet<string> = new Set([
  ...["read", "list", "find", "grep", "read_output", "web_search", "web_fetch", "memory_search", "memory_get"],
  ...["list_tasks", "schedule_task"],
]);

/** Offered at night alone. */
const proposeNotes = "propose_notes";

// a look through the notes sees nothing but them
const tidyTools: ReadonlySet<string> = new Set(["read", "memory_search", "memory_get", proposeNotes]);

/** A look costs what a few steps cost, whatever a model makes of it. */
export const mostTidySteps = 8;

// how to sound and whom to speak to; its instructions come with the message, the rest can be read
const files: ReadonlySet<string> = new Set(["SOUL.md", "USER.md"]);

const comment = /<!--[\s\S]*?(?:-->|$)/g;

/** Which of the tools on offer are there: in a look fewer, and what one look alone may do nobody else may. */
export function toolsIn(
  conversation: string,
  offered: readonly string[],
  all: readonly ConventionFile[],
): readonly string[] {
  if (conversation === tidyConversation) return offered.filter((name) => tidyTools.has(name));
  const others = offered.filter((name) => name !== proposeNotes);
  return isBeat(conversation) ? heartbeatTools(others, all) : others;
}

/** Those that look, and those that HEARTBEAT.md names between backticks. */
export function heartbeatTools(offered: readonly string[], all: readonly ConventionFile[]): readonly string[] {
  const instructions = all.find(({ name }) => name === "HEARTBEAT.md")?.text.replace(comment, "") ?? "";
  return offered.filter((name) => tools.has(name) || instructions.includes(`\`${name}\``));
}

export function heartbeatFiles(all: readonly ConventionFile[]): readonly ConventionFile[] {
  return all.filter(({ name }) => files.has(name));
}
