// Reads mails in a thread of its own, started for a mail, kept for the next, ended when none comes. Whatever a stranger has written,
// the program goes on; and what is not read in time or in little memory is told in the place of its words.
import module from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { reasonOf } from "../../../contract/failure.ts";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import type { MailBody, MailHead } from "./read-mail.ts";
import type { Question, ReadingThreadData } from "./reading-thread.ts";

export type MailReader = {
  /** Of the headers alone, or of a whole mail. One that cannot be read names no sender. */
  head(raw: Uint8Array, signal?: AbortSignal): Promise<MailHead>;
  /** Of a mail that may have been cut anywhere. Throws when it is stopped. */
  body(raw: Uint8Array, signal?: AbortSignal): Promise<MailBody>;
  close(): Promise<void>;
};

type Deps = {
  note(message: string, fields: Record<string, string>): void;
  /** How long one mail may take, and how much memory. */
  deadlineMs?: number;
  megabytes?: number;
  idleMs?: number;
};

/** An answer, or why there is none. */
type Outcome = { answer: unknown } | { failed: string } | { stopped: string };
type Job = { question: Question; settle(outcome: Outcome): void };
type Thread = { worker: Worker; isReady: boolean; job?: Job | undefined; timer?: NodeJS.Timeout };

/** Larger ones are not fetched. */
export const maxMailBytes = 25 * 1024 * 1024;

// loading the library is no fault of the mail, and takes long on a busy machine
const startMs = 60_000;
const closingWords = "Steward is closing";

export function openMailReader(deps: Deps): MailReader {
  const { note, deadlineMs = 20_000, megabytes = 512, idleMs = 60_000 } = deps;
  const waiting: Job[] = [];
  let thread: Thread | undefined;
  let isClosed = false;
  return {
    async head(raw, signal) {
      const outcome = await ask("head", raw, signal);
      // the thread answers with what it was asked for
      return "answer" in outcome ? (outcome.answer as MailHead) : nobodysHead;
    },
    async body(raw, signal) {
      const outcome = await ask("body", raw, signal);
      return "answer" in outcome ? (outcome.answer as MailBody) : unread(outcome.failed);
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.settle({ stopped: closingWords });
      await drop({ stopped: closingWords })?.terminate();
    },
  };

  async function ask(wanted: Question["wanted"], raw: Uint8Array, signal?: AbortSignal) {
    if (isClosed) throw new Error(closingWords);
    signal?.throwIfAborted();
    const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
    // it goes over to the thread, and the bytes of others may lie around it
    const job = { question: { wanted, raw: new Uint8Array(raw) }, settle };
    const stop = () => void abandon(job);
    signal?.addEventListener("abort", stop, { once: true });
    waiting.push(job);
    goOn();
    const outcome = await promise;
    signal?.removeEventListener("abort", stop);
    if ("stopped" in outcome) throw new Error(outcome.stopped);
    if ("failed" in outcome) note("a mail could not be read", { wanted, reason: outcome.failed });
    return outcome;
  }

  /** One at a time, so that they do not add up to more memory than there is. */
  function goOn(): void {
    const job = thread?.job ? undefined : waiting.shift();
    if (!job) return;
    thread ??= start();
    thread.job = job;
    thread.worker.ref();
    thread.worker.postMessage(job.question, [job.question.raw.buffer]);
    watch(thread);
  }

  function start(): Thread {
    const cache = module.getCompileCacheDir();
    const worker = new Worker(new URL("./reading-thread.ts", import.meta.url), {
      workerData: { compiled: cache && dirname(cache) } satisfies ReadingThreadData,
      // what the program was started with is meant for its main file, and no mail needs its secrets
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    const fresh: Thread = { worker, isReady: false };
    worker.on("message", (outcome: Outcome | "ready") => receive(fresh, outcome));
    worker.on("error", (cause) => fail(fresh, isMemory(cause) ? "it takes too much memory." : `${reasonOf(cause)}.`));
    worker.on("exit", () => fail(fresh, "the reading broke off."));
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
    const late = `it takes longer than ${deadlineMs / 1000} s.`;
    // when it was the program that was late, the answer lies here already and comes first
    watched.timer = setTimeout(() => setImmediate(() => fail(watched, late)), watched.isReady ? deadlineMs : startMs);
  }

  function fail(failed: Thread, why: string): void {
    if (failed !== thread) return;
    void drop({ failed: why })?.terminate();
    goOn();
  }

  function abandon(job: Job): void {
    const outcome = { stopped: "it was stopped" };
    const at = waiting.indexOf(job);
    if (at !== -1) waiting.splice(at, 1);
    if (thread?.job === job) void drop(outcome)?.terminate();
    job.settle(outcome);
    goOn();
  }

  /** The thread is no longer ours; who has asked it gets this outcome. */
  function drop(outcome: Outcome = { stopped: closingWords }): Worker | undefined {
    const dropped = thread;
    thread = undefined;
    clearTimeout(dropped?.timer);
    dropped?.job?.settle(outcome);
    return dropped?.worker;
  }
}

/** What stands in the place of a body that is not read. */
export function unread(why: string): MailBody {
  const words = `[This mail could not be read: ${visibleLine(why)} Only its subject is known.]`;
  return { text: words, newWords: words, files: [] };
}

function isMemory(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
}

const nobodysHead: MailHead = {
  ...{ headers: [], from: undefined, to: "", cc: "", subject: "", date: "" },
  ...{ messageId: undefined, references: [], isAutomatic: false },
};
