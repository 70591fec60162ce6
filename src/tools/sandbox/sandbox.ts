// A command comes in, a running command goes out; between them stands whatever keeps it from the rest of the machine.
import type { Mount } from "./mount-rules.ts";

export type SandboxNetwork = { kind: "none" } | { kind: "proxy"; socketPath: string };

export type SandboxLimits = {
  wallMs: number;
  memoryBytes: number;
  processes: number;
  outputBytes: number;
  cpuSeconds: number;
  fileBytes: number;
};

export type SandboxCommand = {
  argv: readonly [string, ...string[]];
  /** The workspace itself or a folder in it. */
  cwd: string;
  /** Host path of the folder the command may write to; it has the same path inside. */
  workspace: string;
  readOnly: readonly string[];
  writable: readonly string[];
  /** Further folders that have another path inside. */
  mounts?: readonly Mount[];
  /** Added to PATH, HOME, LANG and TERM; nothing else is inherited. */
  environment: Readonly<Record<string, string>>;
  network: SandboxNetwork;
  limits: SandboxLimits;
  /** Written to the command's input, which then ends. */
  stdin?: string;
  /** The input stays open for `write` until `endInput`. */
  interactive?: boolean;
  /** A folder outside every mount where the record of the command is put, for a process that comes after a crash. */
  recordPlace?: string;
  /** None like it will follow, so nothing is made ready for the next. */
  isLast?: boolean;
  signal: AbortSignal;
};

/** Of both streams, in the order in which they came. */
export type OutputPiece = { text: string };

export type CommandEnd = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  /** Output went beyond its limit and the rest was dropped. */
  outputCut: boolean;
  outputBytes: number;
  killed: boolean;
  durationMs: number;
  /** The sandbox refused or could not be set up; the command itself never ran. */
  notStarted?: string;
  /** The disk was full while it ran: something that it printed may be missing. */
  sawDiskFull?: true;
  /** Steward itself ended while it ran, and it was ended then. */
  cutOff?: true;
  /** What could not be cleared away after it. */
  leftBehind?: string;
};

export type RunningCommand = {
  output: AsyncIterable<OutputPiece>;
  write(text: string): void;
  endInput(): void;
  kill(): void;
  /** Resolves when nothing of the command is left; never rejects. */
  finished: Promise<CommandEnd>;
};

export type Sandbox = {
  name: "bwrap" | "podman" | "docker" | "apple-container" | "none";
  run(command: SandboxCommand): RunningCommand;
  /** Whether it puts records where commands ask for them. */
  keepsRecords?: true;
  /** What it keeps out and which limits hold, for the status line and the doctor. */
  describe(): string;
  /** Ends what waits for the next command; one that comes all the same is refused. */
  close?(): Promise<void>;
};

export const usualLimits: SandboxLimits = {
  wallMs: 120_000,
  memoryBytes: 2 * 1024 ** 3,
  processes: 256,
  outputBytes: 1024 ** 2,
  cpuSeconds: 300,
  fileBytes: 1024 ** 3,
};
