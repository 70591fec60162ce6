// The requests of Discord's REST interface: what is asked goes in, what was answered comes out as `unknown`.
import { DiscordFailure, readFailure, readRefusal, tooEarly } from "./discord-failure.ts";
import { openRateLimits, routeOf } from "./rate-limits.ts";

export type Api = {
  /** Throws a DiscordFailure. */
  ask(wish: Wish): Promise<unknown>;
};

export type Wish = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Begins with a slash. */
  path: `/${string}`;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  file?: { name: string; mediaType: string; data: Uint8Array } | undefined;
  signal?: AbortSignal;
};

export type ApiPlace = { url: string; token: string; requestMs: number; uploadMs: number; closing: AbortSignal };

/** Waiting and trying again is the business of whoever asked: only they know whether a repeat does harm. */
export function openApi({ url, token, requestMs, uploadMs, closing }: ApiPlace): Api {
  const base = `${url.replace(/\/+$/, "")}/v10`;
  const limits = openRateLimits();
  return {
    async ask(wish) {
      const stop = wish.signal ? AbortSignal.any([wish.signal, closing]) : closing;
      if (stop.aborted)
        throw new DiscordFailure("It was stopped before it was sent.", { retry: "again", arrived: "no" });
      const route = routeOf(wish.method, wish.path);
      const leftMs = limits.leftMs(route);
      if (leftMs > 0) throw tooEarly(leftMs);
      const limitMs = wish.file ? uploadMs : requestMs;
      const answer = await fetchWhole(wish, AbortSignal.any([stop, AbortSignal.timeout(limitMs)]));
      const askedMs = limits.learn(route, answer);
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      throw answer.status === 429 ? tooEarly(askedMs) : readRefusal(answer);
    },
  };

  async function fetchWhole(wish: Wish, signal: AbortSignal): Promise<Answer> {
    const address = `${base}${wish.path}${wish.query ? `?${new URLSearchParams(wish.query)}` : ""}`;
    const { headers, body } = bodyOf(wish);
    const from = { authorization: `Bot ${token}`, "user-agent": "DiscordBot (steward, 0.1)" };
    const init = { method: wish.method, headers: { ...from, ...headers }, body, redirect: "error", signal } as const;
    try {
      const answer = await fetch(address, init);
      // to the end, also of a refusal: what is left unread holds its connection
      return { status: answer.status, headers: answer.headers, body: readJson(await answer.text()) };
    } catch (cause) {
      const failure = readFailure(cause);
      if (!closing.aborted) throw failure;
      throw new DiscordFailure("Discord was being closed.", { retry: "again", arrived: failure.arrived });
    }
  }
}

type Answer = { status: number; headers: Headers; body: unknown };

function bodyOf({ body, file }: Wish): { headers: Record<string, string>; body: string | FormData | null } {
  if (body === undefined && !file) return { headers: {}, body: null };
  const json = JSON.stringify(body ?? {});
  if (!file) return { headers: { "content-type": "application/json" }, body: json };
  const form = new FormData();
  form.set("payload_json", json);
  form.set("files[0]", new Blob([new Uint8Array(file.data)], { type: file.mediaType }), file.name);
  return { headers: {}, body: form };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // a page of something on the way, or nothing at all
    return undefined;
  }
}
