// What has been changed on the page and not been saved.
import type { SettingProblem } from "../../../src/contract/wire/methods/settings.ts";
import type { Setting } from "./list-settings.ts";
import { checkValue, type FieldProblem, isRecord } from "./schema-form/check-value.ts";
import { formatValue, isSecretName } from "./schema-form/field-words.ts";

/** New values by key; those that equal the saved ones are not in it. */
export type Draft = ReadonlyMap<string, unknown>;

export function withEdit(draft: Draft, setting: Setting, value: unknown): Draft {
  const next = new Map(draft);
  if (isSame(value, setting.value)) next.delete(setting.key);
  else next.set(setting.key, value);
  return next;
}

export function currentValue(draft: Draft, setting: Setting): unknown {
  return draft.has(setting.key) ? draft.get(setting.key) : setting.value;
}

/** Whether it does anything as the page stands; what was changed is shown until it is saved. */
export function isInUse(draft: Draft, setting: Setting, settings: readonly Setting[]): boolean {
  const { belongsTo } = setting;
  const choice = belongsTo && settings.find(({ key }) => key === belongsTo.key);
  if (!choice || draft.has(setting.key)) return true;
  return belongsTo.options.includes(String(currentValue(draft, choice)));
}

/** After the file was read anew: what now stands in it needs no saving, the rest stays. */
export function rebase(draft: Draft, settings: readonly Setting[]): Draft {
  const known = new Map(settings.map((setting) => [setting.key, setting]));
  return new Map(
    [...draft].filter(([key, value]) => {
      const setting = known.get(key);
      return setting !== undefined && setting.decidedBy === undefined && !isSame(value, setting.value);
    }),
  );
}

/** One value by another, or what was done to a list. */
export type Change = { key: string; label: string } & ({ before: string; after: string } | { words: string });

export function listChanges(draft: Draft, settings: readonly Setting[]): Change[] {
  return settings
    .filter((setting) => draft.has(setting.key))
    .map((setting) => {
      const { key, label, value: before } = setting;
      const after = draft.get(key);
      if (isSecretName(key)) return { key, label, words: "a new secret" };
      const words = partsWords(before, after);
      return words === undefined
        ? { key, label, before: formatValue(before), after: formatValue(after) }
        : { key, label, words };
    });
}

// a long list that lost one word is told by that word
function partsWords(before: unknown, after: unknown): string | undefined {
  const old = partsOf(before);
  const now = partsOf(after);
  if (!old || !now) return undefined;
  const names = (parts: Map<string, unknown>, wanted: (name: string) => boolean) => [...parts.keys()].filter(wanted);
  const said = [
    ["added", names(now, (name) => !old.has(name))],
    ["removed", names(old, (name) => !now.has(name))],
    ["changed", names(now, (name) => old.has(name) && !isSame(old.get(name), now.get(name)))],
  ] as const;
  const told = said.flatMap(([verb, which]) => (which.length > 0 ? [`${verb} ${formatValue(which)}`] : []));
  return told.length > 0 ? told.join("; ") : "in another order";
}

function partsOf(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((entry) => [formatValue(entry), entry]));
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

/** What settings.set is told: a value that is the default again is taken out of the file, where that can be said. */
export function toSave(draft: Draft, settings: readonly Setting[]): { key: string; value: unknown }[] {
  return settings
    .filter((setting) => draft.has(setting.key))
    .map((setting) => {
      const value = draft.get(setting.key);
      const isDefault = !setting.field.nullable && isSame(value, setting.field.byDefault);
      return { key: setting.key, value: isDefault ? null : value };
    });
}

/** What is wrong with one setting: what can be seen here, else what the gateway said of the same value. */
export function problemsOf(draft: Draft, setting: Setting, told: readonly SettingProblem[]): FieldProblem[] {
  if (draft.has(setting.key)) {
    const own = checkValue(setting.field, draft.get(setting.key));
    if (own.length > 0) return own;
  }
  return told.flatMap(({ key, message }) => {
    if (key === setting.key) return [{ path: "", message }];
    return key.startsWith(`${setting.key}.`) ? [{ path: key.slice(setting.key.length + 1), message }] : [];
  });
}

export function isDefault(setting: Setting, value: unknown): boolean {
  return setting.field.byDefault === undefined || isSame(value, setting.field.byDefault);
}

function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

// the order of names in an object says nothing
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
