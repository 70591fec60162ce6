// Requests to the ntfy server, and what its refusals mean.
import { z } from "zod";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import { codeOf } from "../../contract/failure.ts";
import { readRetryAfter } from "../../contract/retry-after.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { giveWords } from "../secret-words.ts";

export type NtfyServer = {
  /** Without a slash at its end. */
  url: string;
  /** As people call it. */
  host: string;
  token: string | undefined;
  topic: string;
  nowMs(): number;
  /** It has answered, whatever it said. */
  onAnswer(): void;
  /** It does not let Steward in; the sentence says what to do. */
  onRefusal(sentence: string): void;
};

export type ServerRequest = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
};

const refusedRetryMs = 5 * 60_000;
const requestTimeoutMs = 30_000;
const limitRetryMs = 10_000;
const dayLimitRetryMs = 60 * 60_000;
const dayLimitCodes = new Set([42_908, 42_909, 42_910]);

const Refusal = z.object({ code: z.number().optional(), error: z.string().optional() });

/** The whole answer as text. Throws a SendFailure. */
export async function askServer(
  server: NtfyServer,
  path: string,
  request: ServerRequest,
  signal: AbortSignal,
): Promise<string> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
  const response = await openAnswer(server, path, request, ended);
  try {
    return await response.text();
  } catch (cause) {
    throw unreached(server, cause);
  }
}

/** An answer of which nothing has been read yet. Throws a SendFailure. */
export async function openAnswer(
  server: NtfyServer,
  path: string,
  request: ServerRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { token, url } = server;
  const headers = { ...request.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  let response: Response;
  try {
    // a redirect is not followed: on the way a post would turn into a look
    response = await fetch(`${url}/${path}`, { ...request, headers, signal, redirect: "manual" });
  } catch (cause) {
    throw unreached(server, cause);
  }
  server.onAnswer();
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw readRefusal(server, response, Refusal.safeParse(body).data ?? {});
}

export function unreached({ host }: Pick<NtfyServer, "host">, cause: unknown): SendFailure {
  // its own words could hold a header, and so the token; a number says nothing to anybody
  const names = cause instanceof Error ? [codeOf(cause), codeOf(cause.cause), cause.name] : [];
  const code = names.find((name) => name !== undefined && /\D/.test(name)) ?? "unknown";
  return new SendFailure(`${host} was not reached (${code}).`, {
    retry: "again",
    arrived: neverSent.test(code) ? "no" : "maybe",
  });
}

// before any byte of a request went out: no such host, nobody listens, no path to it, a certificate that is not believed
const neverSent = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|.*CERT.*)$/;

function readRefusal(server: NtfyServer, response: Response, { code, error }: z.infer<typeof Refusal>): SendFailure {
  const { status } = response;
  const said = `${server.host} answered ${status}${error === undefined ? "" : `, ${visibleLine(error, 200)}`}.`;
  if (status === 401 || status === 403) {
    const sentence = refusalSentence(server, status);
    server.onRefusal(sentence);
    return new SendFailure(sentence, { retry: "again", arrived: "no", retryAfterMs: refusedRetryMs });
  }
  if (status === 429) {
    const asked = readRetryAfter(response.headers.get("retry-after") ?? undefined, server.nowMs());
    const retryAfterMs = asked ?? (dayLimitCodes.has(code ?? 0) ? dayLimitRetryMs : limitRetryMs);
    return new SendFailure(said, { retry: "again", arrived: "no", retryAfterMs });
  }
  if (status >= 500) return new SendFailure(said, { retry: "again", arrived: "maybe" });
  // without a number of ntfy's own it was something on the way that answered, such as a proxy; too large is too large for both
  const isFinal = code !== undefined || status === 413;
  if (status >= 400) return new SendFailure(said, { retry: isFinal ? "never" : "again", arrived: "no" });
  return new SendFailure(`${server.host} sends on to another address: set channels.ntfy.url to that one.`, {
    ...{ retry: "again", arrived: "no", retryAfterMs: refusedRetryMs },
  });
}

function refusalSentence({ host, token, topic }: NtfyServer, status: number): string {
  const set = `and ${giveWords("NTFY_TOKEN")}`;
  if (token === undefined) return `${host} wants a token for the topic ${topic}. Make one there ${set}`;
  if (status === 401) return `${host} does not accept the token in NTFY_TOKEN. Make a new one there ${set}`;
  return `The token in NTFY_TOKEN may not use every topic of ${host} that begins with ${topic}. Allow it there: ntfy access <user> '${topic}*' rw`;
}
