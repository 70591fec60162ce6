// A heartbeat comes many times a day, so it carries few words and few tools.
import type { ConventionFile } from "./convention-files.ts";

// what looks and tells; whatever more there is to do is planned as a task, which has all tools
const tools: ReadonlySet<string> = new Set([
  ...["read", "list", "find", "grep", "read_output", "web_search", "web_fetch", "memory_search", "memory_get"],
  ...["list_tasks", "schedule_task"],
]);

// how to sound and whom to speak to; its instructions come with the message, the rest can be read
const files: ReadonlySet<string> = new Set(["SOUL.md", "USER.md"]);

const comment = /<!--[\s\S]*?(?:-->|$)/g;

/** Those that look, and those that HEARTBEAT.md names between backticks. */
export function heartbeatTools(offered: readonly string[], all: readonly ConventionFile[]): readonly string[] {
  const instructions = all.find(({ name }) => name === "HEARTBEAT.md")?.text.replace(comment, "") ?? "";
  return offered.filter((name) => tools.has(name) || instructions.includes(`\`${name}\``));
}

export function heartbeatFiles(all: readonly ConventionFile[]): readonly ConventionFile[] {
  return all.filter(({ name }) => files.has(name));
}
