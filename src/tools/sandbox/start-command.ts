import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { reasonOf } from "../../contract/failure.ts";
import { openCommandOutput } from "./command-output.ts";
import { type HeldOutput, openHeldOutput } from "./held-output.ts";
import type { BoxRecord } from "./record/box-record.ts";
import { type Followed, followRecord, type OutputTaker } from "./record/follow-record.ts";
import type { CommandEnd, RunningCommand, SandboxCommand } from "./sandbox.ts";
import { endProcess } from "./start-process.ts";

export type Launch = {
  /** The process, newly started or one that has waited for this command, and where it prints if not into pipes. */
  start(): StartedProcess;
  /** Whether it was the command that failed or the sandbox, judged from the sandbox's own report and the errors. */
  readFailure?(
    report: string,
    errorText: string,
    exitCode: number | null,
  ): Pick<CommandEnd, "notStarted"> | { exitCode: number };
  /** Ends what the child process does not take with it; waited for before anything is released. */
  stop?(): Promise<void>;
  /** Knows whether something came within the command's reach that must not; its output is given on only if not. */
  watch?: OutputWatch;
};

export type OutputWatch = { isClear(): Promise<boolean>; whenLost(stop: () => void): void };

export type StartedProcess = { child: ChildProcess; record?: BoxRecord };

export type Preparation =
  | { kind: "ready"; launch: Launch; release(): Promise<Released> }
  | { kind: "refused"; reason: string };

export type Released = {
  /** What there is to say afterwards. */
  notices: readonly string[];
  /** Nothing came within the command's reach until its end. */
  isClear: boolean;
};

// a command that ignores its output limit this far is only burning the machine
const runawayFactor = 16;
const streamGraceMs = 500;
const errorTextBytes = 4096;

type Progress = {
  child?: ChildProcess;
  stop?: () => Promise<void>;
  stopping?: Promise<void>;
  timedOut: boolean;
  killed: boolean;
};

/** Starts what `prepare` has planned and holds it to the wall clock and the output limit. */
export function startCommand(command: SandboxCommand, prepare: () => Promise<Preparation>): RunningCommand {
  const output = openCommandOutput(command.limits.outputBytes);
  const progress: Progress = { timedOut: false, killed: false };
  const early: string[] = command.stdin === undefined ? [] : [command.stdin];
  let inputEnds = command.stdin !== undefined || !command.interactive;
  const beganAtMs = performance.now();
  return { output: output.pieces, write, endInput, kill: () => kill(progress), finished: finish() };

  function write(text: string): void {
    if (progress.child?.stdin) progress.child.stdin.write(text);
    else early.push(text);
  }

  function endInput(): void {
    inputEnds = true;
    progress.child?.stdin?.end();
  }

  async function finish(): Promise<CommandEnd> {
    const preparation = await prepare().catch(asRefusal);
    if (preparation.kind === "refused") return end({ notStarted: preparation.reason });
    const { launch } = preparation;
    const held = launch.watch && openHeldOutput(output, launch.watch.isClear);
    const found = progress.killed || command.signal.aborted ? { killed: true } : await runToEnd(launch, held);
    const releasing = preparation.release();
    await held?.end(releasing.then(({ isClear }) => isClear).catch(() => launch.watch?.isClear() ?? false));
    const released = await releasing.catch(reasonOf);
    if (typeof released === "string") return end({ ...found, leftBehind: released });
    for (const notice of released.notices) output.note(`[Steward: ${notice}]\n`);
    return end(found);
  }

  async function runToEnd(launch: Launch, held: HeldOutput | undefined): Promise<Partial<CommandEnd>> {
    const started = startSafely(launch);
    if (typeof started === "string") return { notStarted: started };
    const { child } = started;
    progress.child = child;
    if (launch.stop) progress.stop = launch.stop;
    feedInput(child.stdin, early, inputEnds);
    const abort = () => kill(progress);
    const { watch } = launch;
    watch?.whenLost(abort);
    const taker = held ?? output;
    const heard = collect(started, taker, (printedBytes) => {
      if (printedBytes > command.limits.outputBytes * runawayFactor) abort();
    });
    command.signal.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => {
      progress.timedOut = true;
      kill(progress);
    }, command.limits.wallMs);
    const { exitCode, signal, problem } = await exitOf(child);
    held?.endsSoon();
    clearTimeout(timer);
    command.signal.removeEventListener("abort", abort);
    killGroup(child);
    await Promise.all([started.record ? undefined : streamsClosed(child), progress.stopping]);
    for (const stream of child.stdio) stream?.destroy();
    await heard.finish();
    if (problem !== undefined) return { notStarted: problem };
    // whoever watches may have ended it before anybody here was told
    if (exitCode === null && watch && !(await watch.isClear())) progress.killed = true;
    const failed = exitCode !== 0 && !progress.killed;
    const failure = failed ? launch.readFailure?.(heard.report(), heard.errorText(), exitCode) : undefined;
    return { exitCode, signal, ...(heard.sawDiskFull() && { sawDiskFull: true }), ...failure };
  }

  function end(found: Partial<CommandEnd>): CommandEnd {
    output.end();
    return {
      exitCode: null,
      signal: null,
      timedOut: progress.timedOut,
      killed: progress.killed,
      outputCut: output.wasCut(),
      outputBytes: output.bytesSeen(),
      durationMs: performance.now() - beganAtMs,
      ...found,
    };
  }
}

function asRefusal(error: unknown): Preparation {
  return { kind: "refused", reason: reasonOf(error) };
}

/** A command line beyond what the kernel takes is refused before there is a process. */
function startSafely(launch: Launch): StartedProcess | string {
  try {
    return launch.start();
  } catch (error) {
    return reasonOf(error);
  }
}

function feedInput(input: Writable | null, early: readonly string[], ends: boolean): void {
  if (!input) return;
  for (const text of early) input.write(text);
  if (ends) input.end();
}

type Heard = Followed & { errorText(): string; report(): string };

function collect(
  { child, record }: StartedProcess,
  output: OutputTaker,
  onMore: (printedBytes: number) => void,
): Heard {
  let errorText = "";
  if (record) {
    const followed = followRecord(record, output, onMore);
    return { ...followed, errorText: () => beginningOf(record), report: record.reported };
  }
  const take = (stream: "out" | "err") => (bytes: Buffer) => {
    output.add(stream, bytes);
    if (stream === "err" && errorText.length < errorTextBytes) errorText += bytes.toString("utf8");
    onMore(output.bytesSeen());
  };
  child.stdout?.on("data", take("out"));
  child.stderr?.on("data", take("err"));
  return { finish: async () => {}, sawDiskFull: () => false, errorText: () => errorText, report: () => "" };
}

function beginningOf(record: BoxRecord): string {
  const bytes = Buffer.alloc(errorTextBytes);
  return bytes.toString("utf8", 0, record.read(bytes, 0));
}

function exitOf(
  child: ChildProcess,
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null; problem?: string }> {
  return new Promise((resolve) => {
    // one that has waited may have ended before anybody listened
    if (child.exitCode !== null || child.signalCode !== null)
      resolve({ exitCode: child.exitCode, signal: child.signalCode });
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.once("error", (error) => resolve({ exitCode: null, signal: null, problem: error.message }));
  });
}

/** A process that slipped out of the group may hold the pipes; they are not waited for long. */
async function streamsClosed(child: ChildProcess): Promise<void> {
  const streams = child.stdio.slice(1).filter((stream) => stream && !stream.closed);
  const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream?.once("close", resolve))));
  const grace = Promise.withResolvers<void>();
  const timer = setTimeout(grace.resolve, streamGraceMs);
  await Promise.race([closed, grace.promise]);
  clearTimeout(timer);
}

/** Whether a command is given anything to read; programs such as rg search their input if they have any. */
export function takesInput(command: SandboxCommand): boolean {
  return (command.stdin ?? "") !== "" || command.interactive === true;
}

function kill(progress: Progress): void {
  progress.killed = true;
  if (progress.stop) progress.stopping ??= progress.stop();
  if (progress.child) killGroup(progress.child);
}

function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) endProcess(-child.pid);
}
