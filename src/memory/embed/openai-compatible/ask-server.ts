// One request for vectors: sent again a few times when the server is busy, and put into words when it is of no use.
import { codeOf } from "../../../contract/failure.ts";
import { EmbedderFailure } from "../embedder.ts";
import { readComplaint, readVectors } from "./embedding-answer.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { EmbeddingServer } from "./find-server.ts";

export type AskDeps = {
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  timeLimitMs: number;
};

export type Asked =
  | { kind: "vectors"; vectors: readonly Float32Array[] }
  | { kind: "too long"; failure: EmbedderFailure };

type Attempt = Asked | { kind: "failed"; failure: EmbedderFailure; again: boolean; afterMs?: number | undefined };

const mostAttempts = 4;
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
// 96 vectors of 4,096 numbers, written out, are 10 MB
const mostBytes = 32 * 1024 * 1024;

class TooLarge extends Error {}

/** Throws an EmbedderFailure, or the signal's reason once it is aborted. */
export async function askServer(
  server: EmbeddingServer,
  texts: readonly string[],
  deps: AskDeps,
  signal: AbortSignal,
): Promise<Asked> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const outcome = await tryOnce(server, texts, deps, signal);
    if (outcome.kind !== "failed") return outcome;
    const waitMs = outcome.afterMs ?? firstWaitMs * 4 ** (attempt - 1);
    if (!outcome.again || attempt === mostAttempts || waitMs > longestWaitMs) throw outcome.failure;
    await deps.sleep(waitMs, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw cause;
    });
  }
}

async function tryOnce(
  server: EmbeddingServer,
  texts: readonly string[],
  deps: AskDeps,
  signal: AbortSignal,
): Promise<Attempt> {
  const { url, key, model, secrets } = server;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      // the key is meant for this address and no other
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(deps.timeLimitMs)]),
    });
    body = parseJson(await readText(response));
  } catch (cause) {
    signal.throwIfAborted();
    return explainSilence(server, cause, deps.timeLimitMs);
  }
  if (!response.ok) return explainRefusal(server, response, readComplaint(body, secrets), deps.nowMs());
  const vectors = readVectors(body, texts.length);
  if (typeof vectors !== "string") return { kind: "vectors", vectors };
  const { words } = readComplaint(body, secrets);
  const sentence = `${server.host} sent ${vectors}${words && ` (${words})`}. Check memory.embedder.baseUrl and memory.embedder.model.`;
  return { kind: "failed", again: false, failure: new EmbedderFailure(sentence) };
}

async function readText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // to leave the loop hangs up
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new TooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // what is no JSON is no list of vectors either, and is told as such
    return undefined;
  }
}

// its own words could hold a header, and so the key; a code cannot
function explainSilence({ host, isLocal }: EmbeddingServer, cause: unknown, timeLimitMs: number): Attempt {
  const failed = (sentence: string, again: boolean): Attempt => ({
    ...{ kind: "failed", again },
    failure: new EmbedderFailure(sentence),
  });
  if (cause instanceof TooLarge)
    return failed(`${host} sent far more than vectors. Check memory.embedder.baseUrl.`, false);
  const names = cause instanceof Error ? [codeOf(cause.cause), codeOf(cause), cause.name] : [];
  const code = names.find((name) => name !== undefined && /^[A-Za-z_]+$/.test(name)) ?? "unknown";
  if (code === "ECONNREFUSED") {
    const start = isLocal ? "Is it running? Start it" : "Start it there";
    return failed(`Nobody answers at ${host}. ${start}, or check memory.embedder.baseUrl.`, false);
  }
  if (code === "ENOTFOUND") return failed(`There is no ${host}. Check memory.embedder.baseUrl.`, false);
  if (/CERT/.test(code))
    return failed(`The certificate of ${host} is not believed (${code}). Check memory.embedder.baseUrl.`, false);
  if (code === "TimeoutError")
    return failed(`${host} did not answer within ${Math.round(timeLimitMs / 1000)} seconds. Is it overloaded?`, true);
  return failed(`The connection to ${host} broke (${code}). Check it, or try again later.`, true);
}
