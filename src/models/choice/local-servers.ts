import { z } from "zod";
import type { LocalPorts } from "./provider-places.ts";

const probeTimeoutMs = 300;
const keptMs = 60_000;

/** A server that answered; its models as `provider/model` names. */
export type LocalServer = { provider: keyof LocalPorts; models: readonly string[] };

/** What Ollama, LM Studio and llama.cpp offer on this machine right now. */
export type LocalServers = { models(): Promise<readonly string[]>; running(): Promise<readonly LocalServer[]> };

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
  let kept: { atMs: number; servers: Promise<readonly LocalServer[]> } | undefined;
  return { running, models: async () => (await running()).flatMap((server) => server.models) };

  function running(): Promise<readonly LocalServer[]> {
    if (!kept || deps.nowMs() - kept.atMs >= keptMs) {
      const asked = Promise.all(probes.map((probe) => ask(deps, probe)));
      kept = { atMs: deps.nowMs(), servers: asked.then((all) => all.filter((server) => server !== undefined)) };
    }
    return kept.servers;
  }
}

async function ask(deps: LocalServersDeps, probe: Probe): Promise<LocalServer | undefined> {
  try {
    const response = await deps.fetch(`http://127.0.0.1:${deps.ports[probe.provider]}${probe.path}`, {
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const names = probe.read(await response.json()).filter((name) => !/embed/i.test(name));
    return { provider: probe.provider, models: names.map((name) => `${probe.provider}/${name}`) };
  } catch {
    // most machines have none of these servers, and another program may own the port: both just mean "not here"
    return undefined;
  }
}
