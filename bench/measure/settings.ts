import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TimedModel } from "./timed-model.ts";

/** Settings that make the first of these providers the model, and messages wait their turn. */
export async function writeBenchSettings(
  home: string,
  models: Readonly<Record<string, TimedModel>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const providers = Object.entries(models).map(([name, model]) => [
    name,
    { kind: "openai-compatible", baseUrl: `${model.url}/v1` },
  ]);
  const settings = {
    agent: { model: `${providers[0]?.[0]}/fake-model` },
    models: { probeLocal: false, providers: Object.fromEntries(providers) },
    queue: { whenBusy: "wait" },
    ...more,
  };
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "config.json"), JSON.stringify(settings));
}
