// What the command line needs from the house; main.ts fills it in.
import type { Readable, Writable } from "node:stream";
import type { GatewayClient } from "../contract/client.ts";
import type { Settings } from "../contract/settings.ts";
import type { World } from "../contract/world.ts";

export type CommandConsole = {
  input: Readable & { isTTY?: boolean };
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

export type Finding = { ok: boolean; name: string; detail: string; next?: string };

/** A command that another room offers, as a plain object. */
export type ExtraCommand = {
  name: string;
  summary: string;
  /** In commander's words, such as `<file> [name]`. */
  arguments?: string;
  options: readonly { flags: string; description: string }[];
  run(args: readonly string[], options: Readonly<Record<string, unknown>>, console: CommandConsole): Promise<number>;
};

export type CommandLineDeps = {
  console: CommandConsole;
  version: string;
  /** The Steward folder. */
  home: string;
  world: World;
  /** The running daemon, or an assistant started inside this process. */
  connect(): Promise<GatewayClient>;
  runDaemon(): Promise<number>;
  readSettings(): Promise<{ settings: Settings; path: string; warnings: readonly string[] }>;
  settingsDocs(): Promise<string>;
  doctor(options: { repair: boolean }): Promise<{ findings: readonly Finding[] }>;
  extraCommands: readonly ExtraCommand[];
};
