// Which server is asked, for which model, and with which key.
import type { EmbedderSettings } from "../../../contract/memory/memory-settings.ts";
import { type EmbedderDeps, EmbedderFailure } from "../embedder.ts";

export type EmbeddingServer = {
  /** Where texts are posted. */
  url: string;
  /** As people call it. */
  host: string;
  /** Host and path: what tells it from another server. */
  address: string;
  model: string;
  /** Whether the owner has named the model. */
  isModelChosen: boolean;
  key: string | undefined;
  /** What no message may hold, should the server repeat it. */
  secrets: readonly string[];
  /** Where the key stands. */
  keyName: string;
  isLocal: boolean;
};

const usualBaseUrl = "https://api.openai.com/v1";
const usualModel = "text-embedding-3-small";
const openAiVariable = "OPENAI_API_KEY";

/** Throws an EmbedderFailure when the settings name no server that can be asked. */
export function findServer(settings: EmbedderSettings, deps: EmbedderDeps): EmbeddingServer {
  const url = readAddress(settings.baseUrl ?? usualBaseUrl);
  const path = url.pathname.replace(/\/+$/, "");
  const isOpenAi = url.protocol === "https:" && url.host === "api.openai.com";
  const key = findKey(settings, deps, isOpenAi);
  return {
    url: `${url.origin}${path}/embeddings${url.search}`,
    host: isOpenAi ? "OpenAI" : url.host,
    address: `${url.host}${path}`,
    model: settings.model ?? usualModel,
    isModelChosen: settings.model !== null,
    key,
    // some servers take their key in the address
    secrets: [key ?? "", url.search].filter((secret) => secret !== ""),
    keyName: settings.apiKeyEnv ?? openAiVariable,
    isLocal: isLoopback(url.hostname),
  };
}

function readAddress(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    throw new EmbedderFailure(
      "memory.embedder.baseUrl is not the address of a server. Write one such as http://127.0.0.1:11434/v1.",
    );
  if (url.username || url.password)
    throw new EmbedderFailure(
      "memory.embedder.baseUrl holds a name or a password. Take it out, and name the variable that holds the key in memory.embedder.apiKeyEnv.",
    );
  return url;
}

// the key of OpenAI goes to another host only when the owner has named it for that host
function findKey(
  { apiKeyEnv }: EmbedderSettings,
  { environment, storedKeys }: EmbedderDeps,
  isOpenAi: boolean,
): string | undefined {
  const name = apiKeyEnv ?? (isOpenAi ? openAiVariable : undefined);
  if (name === undefined) return undefined;
  const key = ((name === openAiVariable ? storedKeys.openai : undefined) ?? environment[name])?.trim();
  if (!key) throw new EmbedderFailure(missingKey(apiKeyEnv));
  // fetch would say the key in its complaint
  if (/[^\x21-\x7e]/.test(key))
    throw new EmbedderFailure(`The key in ${name} holds spaces or other characters that no key has. Copy it again.`);
  return key;
}

function missingKey(apiKeyEnv: string | null): string {
  return apiKeyEnv === null
    ? `OpenAI turns texts into vectors only with a key. Set ${openAiVariable}, or set memory.embedder.provider to builtin.`
    : `memory.embedder.apiKeyEnv names ${apiKeyEnv}, which is not set. Set it, or take the setting out if the server wants no key.`;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}
