// What it means that a server answers with something else than 200, and what to do about it.
import { readRetryAfter } from "../../../contract/retry-after.ts";
import { EmbedderFailure } from "../embedder.ts";
import type { Complaint } from "./embedding-answer.ts";
import type { EmbeddingServer } from "./find-server.ts";

export type Refusal =
  | { kind: "too long"; failure: EmbedderFailure }
  | { kind: "failed"; failure: EmbedderFailure; again: boolean; afterMs?: number | undefined };

// OpenAI, Ollama and llama.cpp say it with different numbers: 400, 413 and 500
const tooLong = /too (?:large|long)|context (?:length|size|window)|maximum (?:input|context)|max_tokens_per_request/i;
const noModel = /model/i;
const ollamaModel = "nomic-embed-text";

export function explainRefusal(
  server: EmbeddingServer,
  { status, headers }: Response,
  complaint: Complaint,
  nowMs: number,
): Refusal {
  const { host, key, keyName } = server;
  const { words, code } = complaint;
  const failed = (sentence: string, again = false, afterMs?: number): Refusal => ({
    ...{ kind: "failed", again, afterMs },
    failure: new EmbedderFailure(sentence),
  });
  const said = `${host} answered ${status}${words && ` (${words})`}`;
  if (status === 413 || (status >= 400 && tooLong.test(words)))
    return {
      kind: "too long",
      failure: new EmbedderFailure(
        `${said}: its model takes only very short texts. Choose another in memory.embedder.model.`,
      ),
    };
  if (status < 400)
    return failed(
      `${host} sends on to another address, and the key stays here. Set memory.embedder.baseUrl to that one.`,
    );
  if (status === 401 || status === 403) return failed(explainKey(server));
  if (status === 404 || code === "model_not_found") return failed(explainMissing(server, complaint));
  if (code === "insufficient_quota")
    return failed(
      `The account${key === undefined ? "" : ` of the key in ${keyName}`} has no credit left at ${host}. Top it up there.`,
    );
  const afterMs = readRetryAfter(headers.get("retry-after") ?? undefined, nowMs);
  if (status === 429) return failed(`${said}: too many requests. Try again ${timeOf(afterMs)}.`, true, afterMs);
  if (status === 408 || (status >= 500 && status !== 501))
    return failed(`${said}: it has trouble of its own. Look at its log, or try again later.`, true, afterMs);
  return failed(`${said}. Check memory.embedder.model and memory.embedder.baseUrl.`);
}

function explainKey({ host, key, keyName }: EmbeddingServer): string {
  return key === undefined
    ? `${host} wants a key. Name the environment variable that holds it in memory.embedder.apiKeyEnv.`
    : `${host} does not accept the key in ${keyName}. Make a new one there and set it.`;
}

function explainMissing(server: EmbeddingServer, { words, code }: Complaint): string {
  const { host, address, model, isModelChosen } = server;
  if (!noModel.test(words) && code !== "model_not_found") {
    const ending = address.endsWith("/v1") ? "" : ", which usually ends in /v1";
    return `There is nothing at ${address}/embeddings${words && ` (${words})`}. Check memory.embedder.baseUrl${ending}.`;
  }
  const missing = `${host} has no model ${model} for this`;
  if (host.endsWith(":11434"))
    return isModelChosen
      ? `${missing}. Fetch it with: ollama pull ${model}`
      : `${missing}. Fetch one with: ollama pull ${ollamaModel}, and set memory.embedder.model to ${ollamaModel}.`;
  if (host.endsWith(":1234")) return `${missing}. Load one in LM Studio and set memory.embedder.model to its name.`;
  return `${missing}. Set memory.embedder.model to one that it has.`;
}

function timeOf(afterMs: number | undefined): string {
  if (afterMs === undefined) return "later";
  return afterMs < 120_000 ? `in ${Math.ceil(afterMs / 1000)} seconds` : `in ${Math.ceil(afterMs / 60_000)} minutes`;
}
