// A command comes in, a running command goes out; between them stands whatever keeps it from the rest of the machine.

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
  /** Added to PATH, HOME, LANG and TERM; nothing else is inherited. */
  environment: Readonly<Record<string, string>>;
  network: SandboxNetwork;
  limits: SandboxLimits;
  /** Written to the command's input, which then ends. */
  stdin?: string;
  /** The input stays open for `write` until `endInput`. */
  interactive?: boolean;
  /** None like it will follow, so nothing is made ready for the next. */
  isLast?: boolean;
  signal: AbortSignal;
};

export type OutputPiece = { stream: "out" | "err"; text: string };

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
  /** What it keeps out and which limits hold, for the status line and the doctor. */
  describe(): string;
  /** Ends what waits for the next command; one that comes all the same is run. */
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
