/** What a sentence pattern has caught, by the names of its groups. */
export type Words = Readonly<Record<string, string | undefined>>;

/** A tool call of this turn that has come back. */
export type Exchange = { tool: string; failed: boolean; output: string };

/** One thing that was said or done in the conversation before this turn; a task says its words in between. */
export type Said =
  | { by: "person"; text: string }
  | { by: "assistant"; text: string; isOwn: boolean }
  | { by: "task"; title: string; text: string }
  | ({ by: "tool" } & Exchange);

export type Scene = {
  nowMs: number;
  timeZone: string;
  /** The names of the tools that are offered. */
  tools: ReadonlySet<string>;
  /** What a person may say here, one example for each thing that can be done with the tools at hand. */
  examples: readonly string[];
  /** The models that should have answered but did not; empty when none is connected. */
  silentModels: readonly string[];
  earlier: readonly Said[];
  /** Nobody is there who could say it differently. */
  isUnattended: boolean;
};

/** `fails`: no rule fits, for this reason. */
export type Step = { say: string } | { fails: string } | { call: { tool: string; arguments: Record<string, unknown> } };

/** One thing that needs no language model: how people ask for it, and what happens then. */
export type Intent = {
  /** For the help text; left out where there is nothing to advertise. */
  example?: string;
  /** What it does, to complete "… needs the tool x". */
  task: string;
  tools: readonly string[];
  patterns: readonly RegExp[];
  /** The next step after the calls that are done; undefined when the words only look like this intent. */
  next(words: Words, done: readonly Exchange[], scene: Scene): Step | undefined;
};

export function say(text: string): Step {
  return { say: text };
}

export function call(tool: string, args: Record<string, unknown>): Step {
  return { call: { tool, arguments: args } };
}
