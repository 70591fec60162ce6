// The answer of settings.get in, the sections of the page out.
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import { isRecord } from "./schema-form/check-value.ts";
import { type Field, type NamedField, readFields } from "./schema-form/field-shape.ts";
import { labelFor } from "./schema-form/field-words.ts";

export type SettingsAnswer = MethodResult<"settings.get">;

export type Setting = {
  /** `agent.maxSteps` */
  key: string;
  label: string;
  field: Field;
  value: unknown;
  /** The environment variable that decides it, so that saving would change nothing. */
  decidedBy: string | undefined;
  /** Saved, but not yet used by the running process. */
  isPending: boolean;
  /** The choice beside it that it belongs to: with another value there it does nothing. */
  belongsTo: { key: string; options: readonly string[] } | undefined;
  /** Few people have a reason to change it. */
  isAdvanced: boolean;
};

export type SettingsSection = { name: string; title: string; description: string; settings: Setting[] };

// words for what the file calls by shorter names
const sectionTitles: Readonly<Record<string, string>> = {
  agent: "Assistant",
  session: "Conversations",
  queue: "Waiting messages",
  approvals: "Questions",
  guard: "Permissions",
  search: "Web search",
  workspace: "Folder",
  logs: "Log files",
};

// "Recall: Enabled" says nothing to whoever has not read the file
const settingTitles: Readonly<Record<string, string>> = {
  "memory.enabled": "Keep an index",
  "memory.search.enabled": "Search the memory",
  "memory.recall.enabled": "Recall by itself",
  "memory.tidy.enabled": "Nightly tidy",
  "memory.tidy.at": "Nightly tidy: at",
};

/** By their keys, or by the group in which they are. */
const advancedKeys = [
  ...["memory.embedder", "memory.search.ranking", "memory.search.hybridWeights", "memory.search.minScore"],
  ...["memory.search.maxResults", "memory.search.chunkTokens", "memory.search.chunkOverlap", "memory.recall.maxTokens"],
];

export function listSettings(answer: SettingsAnswer): SettingsSection[] {
  const sections: SettingsSection[] = [];
  const loose: Setting[] = [];
  for (const field of readFields(answer.schema)) {
    if (field.shape.kind === "group") {
      const settings = settingsIn(answer, field, [field.name]);
      sections.push({
        name: field.name,
        title: sectionTitles[field.name] ?? labelFor(field.name),
        description: field.description,
        settings,
      });
    } else loose.push(...settingsIn(answer, field, [field.name]));
  }
  return loose.length === 0
    ? sections
    : [{ name: "general", title: "General", description: "", settings: loose }, ...sections];
}

// a group inside a section is told by longer labels, so that one section stays one list
function settingsIn(
  answer: SettingsAnswer,
  field: Field,
  path: readonly string[],
  belongsTo?: Setting["belongsTo"],
): Setting[] {
  if (field.shape.kind === "group") {
    const { fields } = field.shape;
    return fields.flatMap((child) => {
      const own = ownerOf(child, fields, path) ?? belongsTo;
      return settingsIn(answer, child, [...path, child.name], own);
    });
  }
  const key = path.join(".");
  const saved = valueAt(answer.values, path);
  return [
    {
      key,
      label: settingTitles[key] ?? labelOf(path),
      field,
      value: saved === undefined ? field.byDefault : saved,
      decidedBy: answer.overridden[key],
      isPending: answer.pending.some((pending) => pending === key || pending.startsWith(`${key}.`)),
      belongsTo,
      isAdvanced: advancedKeys.some((advanced) => key === advanced || key.startsWith(`${advanced}.`)),
    },
  ];
}

function labelOf(path: readonly string[]): string {
  return path
    .slice(path.length > 1 ? 1 : 0)
    .map(labelFor)
    .join(": ");
}

/** Its description begins with "Of weights and rrf:", and these are options of a choice beside it. */
function ownerOf(field: Field, beside: readonly NamedField[], path: readonly string[]): Setting["belongsTo"] {
  const [, names] = /^Of ([\w-]+(?: and [\w-]+)*): /.exec(field.description) ?? [];
  const options = names?.split(" and ");
  const choice = beside.find(
    ({ shape }) => options && shape.kind === "choice" && options.every((option) => shape.options.includes(option)),
  );
  return options && choice && { key: [...path, choice.name].join("."), options };
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const name of path) {
    if (!isRecord(value)) return undefined;
    value = value[name];
  }
  return value;
}

/** The settings whose name, key or description holds all the words. */
export function searchSettings(sections: readonly SettingsSection[], query: string): SettingsSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...sections];
  return sections.flatMap((section) => {
    const settings = section.settings.filter((setting) => {
      const text = `${section.title} ${setting.label} ${setting.key} ${setting.field.description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return settings.length > 0 ? [{ ...section, settings }] : [];
  });
}
