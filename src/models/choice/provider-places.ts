import type { BuiltInProvider } from "../../contract/model.ts";
import type { Settings } from "../../contract/settings.ts";

export type WireKind = Settings["models"]["providers"][string]["kind"];

/** A place where models are served, with everything a request needs. */
export type ProviderPlace = {
  name: string;
  kind: WireKind;
  baseUrl: string;
  key: string | undefined;
  /** The environment variable to name when the key is missing. */
  keyVariable: string;
  needsKey: boolean;
  /** A server on this machine: it costs nothing. */
  isLocal: boolean;
  contextTokens: number | undefined;
  maxOutputTokens: number | undefined;
};

export type LocalPorts = { ollama: number; lmstudio: number; llamacpp: number };
export const usualLocalPorts: LocalPorts = { ollama: 11434, lmstudio: 1234, llamacpp: 8080 };

export type ProviderSources = {
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  /** Provider name → key; a stored key wins over the environment. */
  storedKeys: Readonly<Record<string, string>>;
  localPorts: LocalPorts;
};

type BuiltIn = { kind: WireKind; baseUrl?: string; keyVariable?: string; baseUrlVariable?: string };

/** Every provider that a `provider/model` name may begin with, but for the offline model. */
export function readProviderPlaces(sources: ProviderSources): ReadonlyMap<string, ProviderPlace> {
  const builtIns: Readonly<Record<string, BuiltIn>> = builtInPlaces(sources.localPorts);
  const names = new Set([...Object.keys(builtIns), ...Object.keys(sources.settings.models.providers)]);
  return new Map([...names].map((name) => [name, readPlace(sources, name, builtIns[name])]));
}

function builtInPlaces(ports: LocalPorts): Record<BuiltInProvider, BuiltIn> {
  const chat = { kind: "openai-compatible" } as const;
  return {
    anthropic: { kind: "anthropic", keyVariable: "ANTHROPIC_API_KEY", baseUrlVariable: "ANTHROPIC_BASE_URL" },
    openai: { kind: "openai", keyVariable: "OPENAI_API_KEY", baseUrlVariable: "OPENAI_BASE_URL" },
    openrouter: { ...chat, baseUrl: "https://openrouter.ai/api/v1", keyVariable: "OPENROUTER_API_KEY" },
    ollama: { ...chat, baseUrl: `http://127.0.0.1:${ports.ollama}/v1` },
    lmstudio: { ...chat, baseUrl: `http://127.0.0.1:${ports.lmstudio}/v1` },
    llamacpp: { ...chat, baseUrl: `http://127.0.0.1:${ports.llamacpp}/v1` },
  };
}

function readPlace(sources: ProviderSources, name: string, builtIn: BuiltIn | undefined): ProviderPlace {
  const setting = sources.settings.models.providers[name];
  const kind = setting?.kind ?? builtIn?.kind ?? "openai-compatible";
  const fromEnvironment = builtIn?.baseUrlVariable ? sources.environment[builtIn.baseUrlVariable] : undefined;
  const baseUrl = setting?.baseUrl ?? (fromEnvironment || builtIn?.baseUrl) ?? usualBaseUrls[kind];
  const keyVariable =
    setting?.apiKeyEnv ?? builtIn?.keyVariable ?? `${name.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  const key = (sources.storedKeys[name] ?? sources.environment[keyVariable])?.trim() || undefined;
  return {
    name,
    kind,
    baseUrl: withVersionPath(kind, baseUrl),
    key,
    keyVariable,
    // a server that the owner added may well want no key; one that is known to want one must not be asked without
    needsKey: builtIn?.keyVariable !== undefined || setting?.apiKeyEnv !== undefined,
    isLocal: kind === "openai-compatible" && isLoopback(baseUrl),
    contextTokens: setting?.contextTokens,
    maxOutputTokens: setting?.maxOutputTokens,
  };
}

const usualBaseUrls: Readonly<Record<WireKind, string>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  "openai-compatible": "http://127.0.0.1:8080/v1",
};

// Anthropic's own tools take the address without the version, the packages here with it
function withVersionPath(kind: WireKind, baseUrl: string): string {
  const plain = baseUrl.replace(/\/+$/, "");
  return kind === "anthropic" && URL.canParse(plain) && new URL(plain).pathname === "/" ? `${plain}/v1` : plain;
}

function isLoopback(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const host = new URL(baseUrl).hostname;
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
