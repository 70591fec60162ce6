import { z } from "zod";
import type { LocalPorts } from "./provider-places.ts";

const probeTimeoutMs = 300;
const keptMs = 60_000;

/** The `provider/model` names that Ollama, LM Studio and llama.cpp offer on this machine right now. */
export type LocalServers = { models(): Promise<readonly string[]> };

export type LocalServersDeps = { fetch: typeof fetch; nowMs(): number; ports: LocalPorts };

type Probe = { provider: keyof LocalPorts; path: string; read(body: unknown): readonly string[] };

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });
const readTags = (body: unknown) => Tags.parse(body).models.map((model) => model.name);
const readModelList = (body: unknown) => ModelList.parse(body).data.map((model) => model.id);

const probes: readonly Probe[] = [
  { provider: "ollama", path: "/api/tags", read: readTags },
  { provider: "lmstudio", path: "/v1/models", read: readModelList },
  { provider: "llamacpp", path: "/v1/models", read: readModelList },
];

/** Asks all three at once and remembers the answer for a minute; nothing is asked before the first call. */
export function openLocalServers(deps: LocalServersDeps): LocalServers {
  let kept: { atMs: number; models: Promise<readonly string[]> } | undefined;
  return {
    models() {
      if (!kept || deps.nowMs() - kept.atMs >= keptMs) {
        kept = {
          atMs: deps.nowMs(),
          models: Promise.all(probes.map((probe) => ask(deps, probe))).then((all) => all.flat()),
        };
      }
      return kept.models;
    },
  };
}

async function ask(deps: LocalServersDeps, probe: Probe): Promise<readonly string[]> {
  try {
    const response = await deps.fetch(`http://127.0.0.1:${deps.ports[probe.provider]}${probe.path}`, {
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return [];
    }
    const names = probe.read(await response.json());
    return names.filter((name) => !/embed/i.test(name)).map((name) => `${probe.provider}/${name}`);
  } catch {
    // most machines have none of these servers, and another program may own the port: both just mean "not here"
    return [];
  }
}
