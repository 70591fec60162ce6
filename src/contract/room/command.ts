// A command of the program as any room may offer it. It works without an open assistant: what it needs comes with its context.
import type { Readable, Writable } from "node:stream";
import type { Settings } from "../settings.ts";
import type { GatewayClient } from "../wire/client.ts";
import type { World } from "../world.ts";

export type Command = SingleCommand | CommandGroup;

/** What is heavy is imported when it runs: every declaration is loaded for the help of one. */
export type SingleCommand = CommandWords & {
  arguments?: readonly CommandArgument[];
  options?: readonly CommandOption[];
  /** Answers with the exit code; a Failure is told to the person and ends with 1. */
  run(input: CommandInput, context: CommandContext): Promise<number>;
};

/** Commands under a first word, such as `token list` and `token create`. */
export type CommandGroup = CommandWords & {
  commands: readonly SingleCommand[];
  /** The one that runs when none is named. */
  default?: string;
};

export type CommandWords = {
  /** One word. */
  name: string;
  /** A line in the list of commands. */
  summary: string;
  /** What its own help says, where that is more than the summary. */
  description?: string;
  /** What stands at the end of its own help. */
  notes?: string;
};

/** `<id>` must be given, `[id]` may be; `<text...>` takes all that follow. */
export type CommandArgument = { form: string; description: string } & CommandWord;

/** `--json` is on or off; `--session <key>` has a value. */
export type CommandOption = { form: string; description: string; required?: boolean } & CommandWord;

/** What may stand there: nothing else than the choices, or what a shell should offer to complete. */
export type CommandWord = { choices?: readonly string[]; completes?: "setting" | "session" };

export type CommandInput = {
  arguments: readonly string[];
  /** The options without a value that were given, by name: `json`. */
  flags: ReadonlySet<string>;
  /** The options with a value, by name: `session`. */
  values: Readonly<Record<string, string | undefined>>;
};

export type CommandContext = {
  console: CommandConsole;
  version: string;
  /** The Steward folder. */
  home: string;
  world: World;
  /** The running daemon, or an assistant started inside this process; one that stays also serves the page. */
  connect(options?: { staying: boolean }): Promise<GatewayClient>;
  /** The Steward that runs in another process; undefined when none does. */
  findRunning(): Promise<GatewayClient | undefined>;
  readSettings(): Promise<SettingsInForce>;
};

export type SettingsInForce = {
  settings: Settings;
  path: string;
  /** Key → the environment variable that decides it. */
  overridden: Readonly<Record<string, string>>;
  warnings: readonly string[];
};

export type CommandConsole = {
  input: Readable & { isTTY?: boolean };
  /** False: nothing can ever come in, as from /dev/null. */
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
