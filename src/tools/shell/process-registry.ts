// Commands under way: started for a conversation, followed to their end, told about once if they outlived their call.

import type { ReplayedCommand } from "../sandbox/record/replay-command.ts";
import type { CommandEnd, RunningCommand } from "../sandbox/sandbox.ts";
import type { RecordedCall } from "./call-records.ts";
import { type OutputLog, openOutputLog } from "./output-log.ts";

export type ProcessOwner = RecordedCall;

/** What there was of a process before Steward was killed. */
export type OwnedProcess = { id: string; owner: ProcessOwner; command: string };

export type ShellProcess = {
  /** Never given twice, also not after a restart: an approval that names it can mean no other. */
  id: string;
  owner: ProcessOwner;
  command: string;
  startedMs: number;
  output: OutputLog;
  /** Set when nothing of it is left. */
  end: ProcessEnd | undefined;
  isInputOpen: boolean;
  write(text: string): void;
  endInput(): void;
  /** Ends it and everything it started; it is gone when `ended` resolves. */
  kill(by: "its own call" | "conversation"): void;
  ended: Promise<ProcessEnd>;
};

export type ProcessEnd = CommandEnd & { atMs: number; flooded: boolean; killedByConversation: boolean };

export type FinishedProcess = ProcessOwner & {
  id: string;
  command: string;
  end: ProcessEnd;
  outputTail: string;
  /** Where untrusted text in the output may come from. */
  labels: readonly string[];
};

export type ProcessRegistryDeps = {
  nowMs(): number;
  /** Higher than every number that an earlier registry has given. */
  firstNumber: number;
  labelsOfFiles(): Promise<readonly string[]>;
  /** Once for each process that outlived its call; never for what `close` ends. */
  onFinished(finished: FinishedProcess): Promise<void>;
  onTrouble(message: string, cause: unknown): void;
};

export type ProcessRegistry = {
  start(owner: ProcessOwner, command: string, run: () => RunningCommand): ShellProcess | { refused: string };
  /** From now on it belongs to the conversation, not to the call that started it; false when it has ended already. */
  letGoOn(process: ShellProcess): boolean;
  /** One that an earlier Steward had let go on, and that has ended since: its conversation is told as of any other. */
  takeUp(process: OwnedProcess, command: ReplayedCommand): void;
  /** Only the conversation's own. */
  list(conversation: string): readonly ShellProcess[];
  /** Ends what a deleted conversation had begun up to that time, and tells nobody. */
  forget(conversation: string, throughMs: number): Promise<void>;
  close(): Promise<void>;
};

/** The wall clock of a process, and how long its output is kept after the end. */
export const processLifeMs = 30 * 60_000;
/** Beyond it a process is ended: it should have written to a file. */
export const maxOutputBytes = 64 * 1024 ** 2;
/** What is kept of the output of one before it is ended. */
export const processOutputBytes = 2 * maxOutputBytes;
const keptOutput = 200_000;
const tailLength = 2_000;
const maxRunningOfConversation = 20;
const maxRunning = 50;
const maxEndedOfConversation = 20;

export function openProcessRegistry(deps: ProcessRegistryDeps): ProcessRegistry {
  const processes = new Set<ShellProcess>();
  const goingOn = new Set<ShellProcess>();
  const reports = new Set<Promise<void>>();
  let nextNumber = deps.firstNumber;
  let closing = false;
  return { start, letGoOn, takeUp, list, forget, close };

  function start(owner: ProcessOwner, command: string, run: () => RunningCommand) {
    const refused = closing ? "Steward is shutting down." : refuseForNumber([...processes], owner.conversation);
    if (refused !== undefined) return { refused };
    return add(openProcess({ id: `p${nextNumber++}`, owner, command }, deps.nowMs, run()));
  }

  function takeUp(process: OwnedProcess, command: ReplayedCommand): void {
    goingOn.add(add(openProcess(process, deps.nowMs, onlyRead(command), command.startedMs)));
  }

  function add(process: ShellProcess): ShellProcess {
    processes.add(process);
    void process.ended.then(() => settle(process));
    return process;
  }

  function letGoOn(process: ShellProcess): boolean {
    if (process.end) return false;
    goingOn.add(process);
    return true;
  }

  function list(conversation: string): readonly ShellProcess[] {
    forgetOld(conversation);
    return [...processes].filter((process) => process.owner.conversation === conversation);
  }

  async function forget(conversation: string, throughMs: number): Promise<void> {
    for (const process of list(conversation).filter(({ startedMs }) => startedMs <= throughMs)) {
      goingOn.delete(process);
      process.kill("its own call");
      await process.ended;
      processes.delete(process);
    }
  }

  async function close(): Promise<void> {
    closing = true;
    const left = [...processes].filter((process) => !process.end);
    for (const process of left) process.kill("its own call");
    await Promise.all(left.map((process) => process.ended));
    await Promise.all(reports);
  }

  function settle(process: ShellProcess): void {
    // its call is still there to say how it ended
    if (!goingOn.delete(process)) {
      processes.delete(process);
      return;
    }
    forgetOld(process.owner.conversation);
    if (closing) return;
    const report = reportEnd(process).finally(() => reports.delete(report));
    reports.add(report);
  }

  async function reportEnd(process: ShellProcess): Promise<void> {
    const { id, owner, command, end } = process;
    if (!end) throw new Error(`${id} is reported before its end`);
    try {
      const labels = await deps.labelsOfFiles();
      const outputTail = process.output.since(process.output.next() - tailLength, tailLength).text;
      await deps.onFinished({ ...owner, id, command, end, outputTail, labels });
    } catch (cause) {
      deps.onTrouble(`The end of ${id} in ${owner.conversation} could not be reported.`, cause);
    }
  }

  function forgetOld(conversation: string): void {
    const ended = [...processes].filter((process) => process.end);
    const own = ended.filter((process) => process.owner.conversation === conversation);
    const tooOld = ended.filter((process) => deps.nowMs() - (process.end?.atMs ?? 0) > processLifeMs);
    for (const process of [...tooOld, ...own.slice(0, -maxEndedOfConversation)]) processes.delete(process);
  }
}

/** A command that has ended takes nothing in any more. */
export function onlyRead({ output, finished }: ReplayedCommand): RunningCommand {
  return { output, finished, write() {}, endInput() {}, kill() {} };
}

export function openProcess(
  owned: OwnedProcess,
  nowMs: () => number,
  running: RunningCommand,
  startedMs = nowMs(),
): ShellProcess {
  const output = openOutputLog(keptOutput);
  let flooded = false;
  let killedByConversation = false;
  const process: ShellProcess = {
    ...owned,
    startedMs,
    output,
    end: undefined,
    isInputOpen: true,
    write: running.write,
    endInput() {
      process.isInputOpen = false;
      running.endInput();
    },
    kill(by) {
      killedByConversation ||= by === "conversation";
      running.kill();
    },
    ended: follow(),
  };
  return process;

  async function follow(): Promise<ProcessEnd> {
    for await (const piece of running.output) {
      output.add(piece.text);
      if (flooded || output.bytes() < maxOutputBytes) continue;
      flooded = true;
      running.kill();
    }
    const end = { ...(await running.finished), atMs: nowMs(), flooded, killedByConversation };
    process.end = end;
    process.isInputOpen = false;
    return end;
  }
}

function refuseForNumber(processes: readonly ShellProcess[], conversation: string): string | undefined {
  const running = processes.filter((process) => !process.end);
  const own = running.filter((process) => process.owner.conversation === conversation);
  if (own.length >= maxRunningOfConversation)
    return `${own.length} processes are running in this conversation, which is the limit. End one with process_control, or wait for one.`;
  if (running.length >= maxRunning)
    return `${running.length} processes are running in all conversations together, which is the limit. Try again when some have ended.`;
  return undefined;
}
