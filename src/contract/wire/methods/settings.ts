import { z } from "zod";
import { ModelName } from "../../model.ts";
import { defineMethods, Empty, Ok } from "./define-methods.ts";

const SettingProblem = z.object({ key: z.string(), message: z.string() });
export type SettingProblem = z.infer<typeof SettingProblem>;

/** A model and the place where it is served; the key and the address may be given now, or be known already. */
const ProviderChoice = z.strictObject({
  provider: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .max(40),
  model: ModelName,
  apiKey: z.string().min(1).max(1000).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
});
export type ProviderChoice = z.infer<typeof ProviderChoice>;

const TestedModel = z.object({ ok: z.boolean(), text: z.string(), durationMs: z.number() });
export type TestedModel = z.infer<typeof TestedModel>;

const ProviderSummary = z.object({
  id: z.string(),
  name: z.string(),
  needsKey: z.boolean(),
  /** Where a key for it is known to come from: an environment variable, auth.json, or nowhere. */
  keyFrom: z.string().optional(),
  /** Whether a server on this machine answered; unset when there was no reason to look for one. */
  running: z.boolean().optional(),
  models: z.array(z.string()),
});
export type ProviderSummary = z.infer<typeof ProviderSummary>;

export const settingsMethods = defineMethods({
  "settings.get": {
    scopes: [],
    params: Empty,
    result: z.object({
      path: z.string(),
      /** Changes with every change of the file; a save that names an older one is refused. */
      revision: z.string(),
      values: z.record(z.string(), z.unknown()),
      /** JSON Schema of the whole file, with descriptions and defaults. */
      schema: z.record(z.string(), z.unknown()),
      /** Keys (such as agent.model) that an environment variable decides, and which one. */
      overridden: z.record(z.string(), z.string()),
      /** Keys whose saved value differs from the one this process runs with. */
      pending: z.array(z.string()),
      /** What is well formed and yet odd, such as the name of a tool that there is not. */
      warnings: z.array(z.string()).optional(),
    }),
  },
  /** Saves all changes or none. A value of null for a key that may not be null takes the default back. */
  "settings.set": {
    scopes: [],
    params: z.strictObject({
      revision: z.string().max(200),
      changes: z
        .array(z.strictObject({ key: z.string().min(1).max(200), value: z.unknown() }))
        .min(1)
        .max(100),
    }),
    result: z.object({ saved: z.boolean(), problems: z.array(SettingProblem), revision: z.string() }),
  },
  /** Stops Steward and starts it again with the saved settings; turns under way go on afterwards. */
  "settings.apply": { scopes: [], params: Empty, result: Ok },
  /** Ends Steward; whoever wants it again starts it on its machine. */
  "program.stop": { scopes: [], params: Empty, result: Ok },
  /** What the first visit needs to know to connect a model. */
  "setup.status": {
    scopes: [],
    params: Empty,
    result: z.object({
      /** A model other than the offline one is chosen. */
      done: z.boolean(),
      chosen: z.string(),
      providers: z.array(ProviderSummary),
    }),
  },
  /** One short question to the model; nothing is saved. */
  "models.test": { scopes: [], params: ProviderChoice, result: TestedModel },
  /** Keeps the key and the choice; `settings.apply` then uses them. */
  "models.connect": { scopes: [], params: ProviderChoice, result: Ok },
});
