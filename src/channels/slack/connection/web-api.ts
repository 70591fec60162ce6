import type { Logger } from "@slack/web-api";
import type { z } from "zod";
import { readFailure, SlackFailure } from "./slack-failure.ts";

/** Calls a method of Slack's Web API; every failure is a SlackFailure. */
export type CallSlack = <Answer>(
  method: string,
  args: Readonly<Record<string, unknown>>,
  answer: z.ZodType<Answer>,
  signal?: AbortSignal,
) => Promise<Answer>;

export type WebApiDeps = {
  apiUrl: string;
  token: string;
  timeoutMs: number;
  closing: AbortSignal;
  /** Slack has answered something. */
  proof(): void;
  /** Told of every call that has done what it should. */
  answered?(method: string): void;
  /** Told of every failure before it is thrown. */
  failed?(method: string, failure: SlackFailure): void;
};

export async function openWebApi(deps: WebApiDeps): Promise<CallSlack> {
  const { WebClient } = await import("@slack/web-api");
  const client = new WebClient(deps.token, {
    slackApiUrl: deps.apiUrl,
    timeout: deps.timeoutMs,
    // repeating is for those who know what may be repeated
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: silent,
    async fetch(url, init) {
      const signal = init?.signal ? AbortSignal.any([init.signal, deps.closing]) : deps.closing;
      const response = await fetch(url, { ...init, signal });
      deps.proof();
      return response;
    },
  });
  return async (method, args, answer, signal) => {
    try {
      const raw: unknown = await orAborted(client.apiCall(method, { ...args }), signal);
      const read = answer.safeParse(raw);
      if (read.success) {
        deps.answered?.(method);
        return read.data;
      }
      const how = { retry: "again", arrived: "maybe", cause: read.error } as const;
      throw new SlackFailure("SHAPE", `Slack answered ${method} in a shape that nobody knows.`, how);
    } catch (cause) {
      const failure = readFailure(method, cause);
      deps.failed?.(method, failure);
      throw failure;
    }
  };
}

// the library takes no signal for a single call; what is no longer waited for ends by its own timeout
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("it was no longer waited for"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

// the library would print what is said into the log
const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => "error" as ReturnType<Logger["getLevel"]>,
  setName: () => undefined,
};
