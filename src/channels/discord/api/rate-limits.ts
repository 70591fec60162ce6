// How long Discord wants requests to wait: each answer says how many more of its kind it takes, and until when none.
import { z } from "zod";

export type RateLimits = {
  /** How long a request of this route still has to wait; 0: it may go. */
  leftMs(route: string): number;
  /** Keeps what an answer says of the next request: how long that has to wait. */
  learn(route: string, answer: { status: number; headers: Headers; body: unknown }): number;
};

const Limited = z.object({
  retry_after: z.number().nonnegative().optional().catch(undefined),
  global: z.boolean().catch(false),
});

const [everything, unsaidMs, longestMs, keptAtMost] = ["everything", 5_000, 24 * 60 * 60_000, 500];

export function openRateLimits(steadyMs: () => number = () => performance.now()): RateLimits {
  const untilMs = new Map<string, number>();
  return {
    leftMs: (route) => Math.max(left(route), left(everything)),
    learn(route, { status, headers, body }) {
      const limited = status === 429 ? (Limited.safeParse(body).data ?? { global: false }) : undefined;
      const askedMs = Math.min(limited ? refusedMs(limited, headers) : usedUpMs(headers), longestMs);
      if (askedMs > 0) {
        const isGlobal = limited !== undefined && (limited.global || headers.has("x-ratelimit-global"));
        forgetPast();
        untilMs.set(isGlobal ? everything : route, steadyMs() + askedMs);
      }
      return askedMs;
    },
  };

  function left(key: string): number {
    return Math.max(0, (untilMs.get(key) ?? 0) - steadyMs());
  }

  function forgetPast(): void {
    if (untilMs.size < keptAtMost) return;
    for (const key of untilMs.keys()) if (left(key) === 0) untilMs.delete(key);
  }
}

/**
 * Requests that Discord counts together: by channel, server or user, and not by what lies below, such as a message. The routes
 * that share a limit beyond that are not known before; then one of them is refused and says so.
 */
export function routeOf(method: string, path: string): string {
  const [, kind, of, ...below] = path.split("/");
  const reactions = below.indexOf("reactions");
  const counted = (reactions < 0 ? below : below.slice(0, reactions + 1)).map((part) => part.replace(/^\d+$/, "*"));
  return [method, kind, of, ...counted].join("/");
}

/** The one in the body is more exact; what stands before Discord sends the header only. */
function refusedMs({ retry_after }: { retry_after?: number | undefined }, headers: Headers): number {
  return milliseconds(retry_after ?? headers.get("retry-after")) ?? unsaidMs;
}

function usedUpMs(headers: Headers): number {
  if (headers.get("x-ratelimit-remaining") !== "0") return 0;
  return milliseconds(headers.get("x-ratelimit-reset-after")) ?? 0;
}

function milliseconds(seconds: number | string | null): number | undefined {
  const read = seconds === null ? Number.NaN : Number(seconds);
  return read >= 0 ? read * 1_000 : undefined;
}
