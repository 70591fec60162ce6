// Keeps one way in to Telegram open: connects, tries again after a pause when it fails, and says how it stands.
import type { ChannelBase, Life } from "../../contract/channel/channel.ts";
import { giveWords } from "../secret-words.ts";
import { readFault } from "./read-fault.ts";
import type { Timings } from "./timings.ts";

export type Connection = {
  start(): void;
  reconnect(): Promise<void>;
  close(): Promise<void>;
  life(): Life;
  /** Telegram has answered something. */
  prove(): void;
};

/** Goes on until it is stopped, or throws; `connected` says as whom. */
export type Connect = (connected: (detail: string) => void, signal: AbortSignal) => Promise<void>;

type ConnectionDeps = { base: Pick<ChannelBase, "world" | "sleep" | "trouble">; timings: Timings; connect: Connect };
type State = Pick<Life, "state" | "detail">;

export function openConnection({ base, timings, connect }: ConnectionDeps): Connection {
  let state: State = { state: "connecting", detail: "Connecting to Telegram." };
  let lastProofMs: number | undefined;
  let stop = new AbortController();
  let running: Promise<void> | undefined;
  let conflictsMs: readonly number[] = [];

  return {
    start,
    async reconnect() {
      if (state.state === "closed") return;
      await halt();
      start();
    },
    async close() {
      state = { state: "closed", detail: "Closed." };
      await halt();
    },
    life: () => ({ ...state, lastProofMs }),
    prove() {
      lastProofMs = base.world.nowMs();
    },
  };

  function start(): void {
    if (running || state.state === "closed") return;
    stop = new AbortController();
    running = run(stop.signal);
  }

  async function halt(): Promise<void> {
    stop.abort();
    await running;
    running = undefined;
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await connect((detail) => {
          failures = 0;
          tell(isContested() ? { state: "refused", detail: otherReader } : { state: "connected", detail }, signal);
        }, signal);
      } catch (cause) {
        const { pauseMs, ...now } = judge(cause, failures++);
        if (signal.aborted) return;
        if (now.state === "refused" && now.detail !== state.detail) base.trouble(now.detail, undefined);
        tell(now, signal);
        await base.sleep(pauseMs, signal);
      }
    }
  }

  /** A single conflict is what an own poll of before leaves behind. */
  function isContested(): boolean {
    const sinceMs = base.world.nowMs() - timings.contestedMs;
    conflictsMs = conflictsMs.filter((atMs) => atMs > sinceMs);
    return conflictsMs.length > 1;
  }

  function tell(now: State, signal: AbortSignal): void {
    if (!signal.aborted) state = now;
  }

  function judge(cause: unknown, failures: number): State & { pauseMs: number } {
    const fault = readFault(cause);
    const longest = Math.min(timings.lastRetryMs, timings.firstRetryMs * 2 ** Math.min(failures, 20));
    const pauseMs = longest * (0.5 + Math.random() / 2);
    const trying = `${fault.words} Steward goes on trying.`;
    if (fault.kind === "unanswered") return { state: "connecting", detail: trying, pauseMs };
    switch (fault.status) {
      case 401:
      case 404:
        return { state: "refused", detail: wrongToken, pauseMs: timings.refusedRetryMs };
      case 409:
        conflictsMs = [...conflictsMs, base.world.nowMs()];
        return { state: "refused", detail: otherReader, pauseMs };
      case 400:
      case 403:
        return { state: "refused", detail: `${fault.words} ${lookAtSettings}`, pauseMs: timings.refusedRetryMs };
      default:
        return { state: "connecting", detail: trying, pauseMs: Math.max(pauseMs, fault.retryAfterMs ?? 0) };
    }
  }
}

const wrongToken = `Telegram does not know the bot token. Copy it again from @BotFather and ${giveWords("TELEGRAM_BOT_TOKEN")}`;
const otherReader =
  "Another program reads Telegram's messages with this bot token. Stop it, or give Steward a bot of its own by @BotFather.";
const lookAtSettings = "Look at channels.telegram in the settings, and for a webhook at gateway.publicUrl.";
