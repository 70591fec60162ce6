// The models: one request in our own words comes in, a stream of events and always an ending goes out.
import type { ModelProvider } from "../contract/model.ts";
import { realWorld } from "../contract/world.ts";
import { openLanguageModels } from "./answer/language-model.ts";
import { type AnswerDeps, streamAnswer } from "./answer/stream-answer.ts";
import { chooseModels, listModels } from "./choice/choose-models.ts";
import { openLocalServers } from "./choice/local-servers.ts";
import { splitModelName } from "./choice/model-name.ts";
import type { ModelSetup, ModelSetupDeps } from "./choice/model-setup.ts";
import {
  type LocalPorts,
  type ProviderSources,
  readProviderPlaces,
  usualLocalPorts,
} from "./choice/provider-places.ts";
import { directChoice, streamDirect } from "./direct/direct-model.ts";
import { openRefusedStates } from "./request/provider-state.ts";

export type ModelsDeps = Omit<ProviderSources, "localPorts"> &
  Pick<AnswerDeps, "offline" | "fetch" | "sleep" | "nowMs" | "random"> & { localPorts?: LocalPorts };

export type Models = ModelProvider & {
  /** What connecting a model needs; loaded when somebody does that. */
  setup(now: Pick<ModelSetupDeps, "settings" | "storedKeys" | "redact">): Promise<ModelSetup>;
};

export function openModels(deps: ModelsDeps): Models {
  const { settings, offline, fetch, nowMs } = deps;
  const localPorts = deps.localPorts ?? usualLocalPorts;
  const places = readProviderPlaces({ ...deps, localPorts });
  const localServers = openLocalServers({ fetch, nowMs, ports: localPorts });
  const choiceDeps = { settings, places, localServers, offlineName: offline.name };
  const languageModels = openLanguageModels();
  const answerDeps: AnswerDeps = {
    ...{ fetch, nowMs, languageModels, places, offline, sleep: deps.sleep, random: deps.random },
    settings: settings.models,
    refusedStates: openRefusedStates(),
    idleMs: settings.models.idleTimeoutSeconds * 1000,
    totalMs: settings.models.timeoutSeconds * 1000,
  };
  const isDirect = (name: string | undefined) => name === directChoice.name;
  return {
    stream: (request) =>
      isDirect(request.models[0]) ? streamDirect(realWorld, request) : streamAnswer(answerDeps, request),
    // never listed, never chosen by itself, and nobody else answers in its place
    choose: async (wish) => (isDirect(wish) ? [directChoice] : chooseModels(choiceDeps, wish)),
    list: () => listModels(choiceDeps),
    async setup(now) {
      const { openModelSetup } = await import("./choice/model-setup.ts");
      return openModelSetup({ ...now, environment: deps.environment, fetch, nowMs, localPorts });
    },
    async prepare() {
      const [first] = await chooseModels(choiceDeps, undefined);
      const parts = first && splitModelName(first.name);
      const place = parts && places.get(parts.provider);
      if (!parts || !place) return;
      // what fetch is made of is large and loaded late; the first question should not wait for it
      await import("node:http");
      void globalThis.fetch;
      await languageModels.prepare({ place, modelId: parts.model });
    },
  };
}
