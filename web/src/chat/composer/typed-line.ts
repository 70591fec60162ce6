// What somebody means by a line: most are messages, a few are said to the page itself.

export type TypedLine =
  | { kind: "message"; text: string }
  /** An answer to the one question that waits. */
  | { kind: "approve" | "deny" }
  /** Something else while a question waits: it would be withdrawn. */
  | { kind: "instead"; text: string }
  | { kind: "help" | "new" | "stop" }
  /** A command of the terminal chat for which the page has its own place. */
  | { kind: "elsewhere"; words: string };

const places = new Map(
  Object.entries({
    sessions: "The conversations stand in the sidebar; / searches them.",
    model: "The model is chosen below the message.",
    thinking: "How hard it thinks is chosen below the message.",
    agent: "The agent is chosen in the terminal, or when a conversation begins.",
    undo: "Each change to files has its own Undo, here and under Activity.",
    usage: "Tokens and cost stand at the top, and under Usage.",
    quit: "Close the window to leave; Steward works on.",
    exit: "Close the window to leave; Steward works on.",
  }),
);

export function readTypedLine(text: string, openQuestions: number): TypedLine {
  // as in the terminal: two slashes send one
  if (text.startsWith("//")) return asMessage(text.slice(1), openQuestions);
  const command = /^\/([a-z]+)$/.exec(text)?.[1];
  if (command === "help" || command === "new" || command === "stop") return { kind: command };
  const words = command === undefined ? undefined : places.get(command);
  if (words !== undefined) return { kind: "elsewhere", words };
  if (openQuestions === 1) {
    if (/^(?:\/approve|y|yes)[.!]?$/i.test(text)) return { kind: "approve" };
    if (/^(?:\/deny|n|no)[.!]?$/i.test(text)) return { kind: "deny" };
  }
  return asMessage(text, openQuestions);
}

export function asMessage(text: string, openQuestions: number): TypedLine {
  return { kind: openQuestions > 0 ? "instead" : "message", text };
}
