// What the assistant is told in a beat: to look around, that a command has ended, or what became of a task.
import type { NoteKind } from "../../store/tasks/heartbeat-notes.ts";

/** The same in every beat, so that a provider's cache holds. */
export const beatRules = `# This is a heartbeat
Nobody sits before the screen: you look around on your own. Your answer is sent to your owner, so write only what they should read, in a few words, and nothing about this note. A task that you plan runs with all tools.`;

const happened: Readonly<Record<NoteKind, string>> = {
  command: "A command that went on in the background has ended. Tell your owner what came of it.",
  task: "A task has failed or was missed. Tell your owner which one, why, and what they could do.",
  note: "Something was noted for you to look at.",
};

const otherwise = "If nothing needs your owner's attention, answer exactly HEARTBEAT_OK.";

export function beatPrompt(kinds: ReadonlySet<NoteKind>, instructions: string): string {
  const events = (["command", "task", "note"] as const).filter((kind) => kinds.has(kind)).map((kind) => happened[kind]);
  const about = events.length === 0 ? [] : [`${events.join(" ")} What is known of it stands below.`];
  const look =
    instructions === "" ? [] : [`Look around by your owner's instructions in HEARTBEAT.md:\n\n${instructions}`];
  return [...about, ...look, otherwise].join("\n\n");
}
