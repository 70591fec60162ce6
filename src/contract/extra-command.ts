import type { Readable, Writable } from "node:stream";

export type CommandConsole = {
  input: Readable & { isTTY?: boolean };
  /** False: there is no terminal, and nothing can ever come in. */
  hasInput?: boolean;
  output: Writable & { isTTY?: boolean; columns?: number };
  errors: Writable;
  /** Colours are wanted: the output is a terminal and NO_COLOR is not set. */
  colors: boolean;
  /**
   * Tells of Ctrl+C while the terminal is not read key by key, and of a wish from outside that the program end;
   * returns how to stop listening.
   */
  onInterrupt(listener: (why?: "interrupt" | "terminate") => void): () => void;
};

/** A command that another room offers, as a plain object; a name of two words stands under the first. */
export type ExtraCommand = {
  name: string;
  summary: string;
  /** What the first word stands for, in the list of commands. */
  groupSummary?: string;
  /** In commander's words, such as `<file> [name]`. */
  arguments?: string;
  options: readonly { flags: string; description: string }[];
  run(args: readonly string[], options: Readonly<Record<string, unknown>>, console: CommandConsole): Promise<number>;
};
