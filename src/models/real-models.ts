import type { Settings } from "../contract/settings.ts";
import { openOfflineModel } from "./offline/open-offline-model.ts";
import { type Models, type ModelsDeps, openModels } from "./open-models.ts";

export type RealModelsDeps = Pick<ModelsDeps, "environment" | "storedKeys" | "sleep" | "nowMs"> & {
  settings: Settings;
  timeZone: string;
};

/** The models over this machine's own network and chance. */
export function realModels({ timeZone, ...deps }: RealModelsDeps): Models {
  return openModels({
    ...deps,
    offline: openOfflineModel({ nowMs: deps.nowMs, timeZone }),
    // naming fetch is enough to load it, and a start without a model needs none
    fetch: (input, init) => fetch(input, init),
    random: Math.random,
  });
}
