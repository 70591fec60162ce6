// Judges commands in a thread of its own, started at the first one, kept for the next, ended when none comes. Whatever a
// command makes the rules do, the program goes on; and what is not judged in time is a question to the owner.
import module from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { reasonOf } from "../../contract/failure.ts";
import type { Settings } from "../../contract/settings.ts";
import { askEachTime, type CommandJudgement, type ShellJudge, wholeWorkspace } from "../judgement.ts";
import { longestCommand } from "./budget.ts";
import type { JudgeThreadData, Question } from "./judge-thread.ts";

type Deps = {
  settings: Settings;
  workspace: string;
  /** How long one judgement may take. */
  deadlineMs?: number;
  idleMs?: number;
};

/** An answer, or why there is none. */
type Outcome = { answer: unknown } | { failed: string };
type Job = { question: Question; settle(outcome: Outcome): void };
type Thread = { worker: Worker; isReady: boolean; job?: Job | undefined; timer?: NodeJS.Timeout };

// loading the rules is no fault of the command, and takes long on a busy machine
const startMs = 30_000;
const threadMegabytes = 256;
const closingWords = "Steward is closing, so this command was not checked.";

export function openJudgeInThread(deps: Deps): ShellJudge & { close(): Promise<void> } {
  const { deadlineMs = 1000, idleMs = 120_000 } = deps;
  const waiting: Job[] = [];
  let thread: Thread | undefined;
  let isClosed = false;
  return {
    async judge(command) {
      const outcome = await ask("judge", command);
      // the thread answers with what its judge returns
      if ("answer" in outcome) return outcome.answer as CommandJudgement;
      return { ...askEachTime("check cut short", `${outcome.failed} Look at it closely.`), readsOnly: false };
    },
    async filesNamedIn(command) {
      const outcome = await ask("filesNamedIn", command);
      return "answer" in outcome ? (outcome.answer as readonly string[]) : wholeWorkspace;
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.settle({ failed: closingWords });
      await drop(closingWords)?.terminate();
    },
  };

  function ask(method: Question["method"], command: string): Promise<Outcome> {
    if (isClosed) return Promise.resolve({ failed: closingWords });
    return new Promise((settle) => {
      // a longer one is refused for its length alone, so the rest of it need not be copied
      waiting.push({ question: { method, command: command.slice(0, longestCommand + 1) }, settle });
      goOn();
    });
  }

  /** One at a time, so that none pays for the time of another. */
  function goOn(): void {
    const job = thread?.job ? undefined : waiting.shift();
    if (!job) return;
    thread ??= start();
    thread.job = job;
    thread.worker.ref();
    thread.worker.postMessage(job.question);
    watch(thread);
  }

  function start(): Thread {
    const cache = module.getCompileCacheDir();
    const { settings, workspace } = deps;
    const worker = new Worker(new URL("./judge-thread.ts", import.meta.url), {
      workerData: { settings, workspace, compiled: cache && dirname(cache) } satisfies JudgeThreadData,
      // what the program was started with is meant for its main file
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    });
    const fresh: Thread = { worker, isReady: false };
    worker.on("message", (outcome: Outcome | "ready") => receive(fresh, outcome));
    worker.on("error", (cause) => fail(fresh, `The check of this command broke off: ${reasonOf(cause)}.`));
    worker.on("exit", () => fail(fresh, "The check of this command broke off."));
    return fresh;
  }

  function receive(from: Thread, outcome: Outcome | "ready"): void {
    if (from !== thread) return;
    if (outcome === "ready") {
      from.isReady = true;
      watch(from);
      return;
    }
    const { job } = from;
    from.job = undefined;
    // a waiting thread keeps no process alive
    from.worker.unref();
    watch(from);
    job?.settle(outcome);
    goOn();
  }

  function watch(watched: Thread): void {
    clearTimeout(watched.timer);
    if (!watched.job) {
      watched.timer = setTimeout(() => drop()?.terminate(), idleMs).unref();
      return;
    }
    const late = `This command could not be checked within ${deadlineMs / 1000} s.`;
    // when it was the program that was late, the answer lies here already and comes first
    watched.timer = setTimeout(() => setImmediate(() => fail(watched, late)), watched.isReady ? deadlineMs : startMs);
  }

  function fail(failed: Thread, why: string): void {
    if (failed !== thread) return;
    void drop(why)?.terminate();
    goOn();
  }

  /** The thread is no longer ours; what it was asked is answered with the reason. */
  function drop(why = ""): Worker | undefined {
    const dropped = thread;
    thread = undefined;
    clearTimeout(dropped?.timer);
    dropped?.job?.settle({ failed: why });
    return dropped?.worker;
  }
}
