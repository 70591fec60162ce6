// What the owner's own clients ask about settings and about connecting a model. The agent has no tool that comes here.

import { installationKey, type NewEvent } from "../contract/event.ts";
import { Failure } from "../contract/failure.ts";
import type { Sender } from "../contract/sender.ts";
import { CallRefused } from "../contract/wire/client.ts";
import type { Served } from "../contract/wire/methods/define-methods.ts";
import type {
  ProviderChoice,
  ProviderSummary,
  settingsMethods,
  TestedModel,
} from "../contract/wire/methods/settings.ts";
import type { AuthFile } from "./auth-file.ts";
import type { SettingChange } from "./change-settings.ts";
import type { SaveOutcome, SettingsFile } from "./open-settings-file.ts";
import { unknownTools } from "./unknown-names.ts";

export type SettingsMethodDeps = {
  settingsFile: SettingsFile;
  authFile: Pick<AuthFile, "setKey">;
  modelSetup: {
    providers(): Promise<ProviderSummary[]>;
    test(choice: ProviderChoice): Promise<TestedModel>;
    plan(choice: ProviderChoice): Promise<{ ok: true; changes: SettingChange[] } | { ok: false; problem: string }>;
  };
  chosenModel(): Promise<string>;
  toolNames(): Promise<readonly string[]>;
  append(events: readonly NewEvent[]): Promise<unknown>;
  /** Masked from now on in everything that is shown. */
  hideValues(values: readonly string[]): void;
  /** Closes everything and starts again; returns at once. */
  restart(): void;
  /** Asks the whole program to end; returns at once. */
  end(): void;
};

export function serveSettings(deps: SettingsMethodDeps): Served<typeof settingsMethods> {
  const { settingsFile, modelSetup } = deps;
  return {
    async "settings.get"() {
      const { path, revision, values, schema, overridden, pending, next, warnings } = await inWords(() =>
        settingsFile.read(),
      );
      const odd = [...warnings, ...unknownTools(next, await deps.toolNames())];
      return { path, revision, values, schema, overridden: { ...overridden }, pending, warnings: odd };
    },
    async "settings.set"(caller, { revision, changes }) {
      const outcome = await inWords(() => settingsFile.save(revision, changes));
      if (outcome.kind === "conflict")
        throw new CallRefused(
          "conflict",
          "The settings were changed elsewhere in the meantime. Load them again, and nothing is overwritten.",
        );
      if (outcome.kind === "problems") return { saved: false, problems: outcome.problems, revision: outcome.revision };
      await tellChanged(deps, caller.sender, outcome.changedKeys);
      return { saved: true, problems: [], revision: outcome.revision };
    },
    async "settings.apply"() {
      // what cannot start again must not be closed
      await inWords(() => settingsFile.read());
      // by then the answer is on its way
      setImmediate(deps.restart);
      return { ok: true };
    },
    async "program.stop"() {
      setImmediate(deps.end);
      return { ok: true };
    },
    async "setup.status"() {
      const chosen = await deps.chosenModel();
      const providers = await inWords(() => modelSetup.providers());
      return { done: chosen !== "none" && !chosen.startsWith("offline/"), chosen, providers };
    },
    "models.test": (_caller, choice) => inWords(() => modelSetup.test(choice)),
    async "models.connect"(caller, choice) {
      const plan = await inWords(() => modelSetup.plan(choice));
      if (!plan.ok) throw new CallRefused("invalid", plan.problem);
      const key = choice.apiKey?.trim();
      // the settings file is looked at before the key is written, so that both are kept or neither
      await inWords(() => settingsFile.read());
      if (key !== undefined) {
        deps.hideValues([key]);
        await inWords(() => deps.authFile.setKey(choice.provider, key));
      }
      const outcome = await inWords(() => settingsFile.save(undefined, plan.changes));
      if (outcome.kind !== "saved") throw new CallRefused("invalid", wordsOf(outcome));
      const keys = [...outcome.changedKeys, ...(key === undefined ? [] : [`auth.${choice.provider}`])];
      await tellChanged(deps, caller.sender, keys);
      return { ok: true };
    },
  };
}

function wordsOf(outcome: Exclude<SaveOutcome, { kind: "saved" }>): string {
  return outcome.kind === "problems"
    ? outcome.problems.map((problem) => problem.message).join(" ")
    : "The settings were changed elsewhere in the meantime. Try again.";
}

// the names of what changed, never the values
async function tellChanged(deps: SettingsMethodDeps, by: Sender, keys: readonly string[]): Promise<void> {
  if (keys.length > 0)
    await deps.append([{ type: "settings.changed", conversation: installationKey, keys: [...keys], by }]);
}

/** What the owner must mend is an answer, not a fault of the gateway. */
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Failure) throw new CallRefused("conflict", cause.message);
    throw cause;
  }
}
