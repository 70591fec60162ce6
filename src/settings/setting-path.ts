import { settingsSchema } from "./setting-keys.ts";
import { describeUnknown } from "./setting-problems.ts";

type JsonSchema = ReturnType<typeof settingsSchema>;

export type SettingPath = { ok: true; path: readonly string[]; schema: JsonSchema } | { ok: false; words: string };

/** `sandbox.credentials.api.example.com.header` → its names: the keys of a record, such as hosts, may hold dots themselves. */
export function readSettingPath(key: string): SettingPath {
  let schema: JsonSchema = settingsSchema();
  const path: string[] = [];
  let rest: readonly string[] = key.split(".");
  while (rest.length > 0) {
    const length = lengthOfNext(schema, rest);
    const name = rest.slice(0, length).join(".");
    const child = childNamed(schema, name);
    if (!child) return { ok: false, words: describeUnknown([...path, ...rest]) };
    path.push(name);
    schema = child;
    rest = rest.slice(length);
  }
  return { ok: true, path, schema };
}

/** How many of the words between dots make up the next name. */
function lengthOfNext(schema: JsonSchema, rest: readonly string[]): number {
  if (schema.properties) return 1;
  const entry = schema.additionalProperties;
  const hasField = typeof entry === "object" && rest.length > 1 && childNamed(entry, rest.at(-1) ?? "") !== undefined;
  return hasField && entry.properties ? rest.length - 1 : rest.length;
}

function childNamed(schema: JsonSchema, name: string): JsonSchema | undefined {
  // a name that every object has by itself would reach behind the file
  if (name === "" || name in {}) return undefined;
  const child = schema.properties ? schema.properties[name] : schema.additionalProperties;
  return typeof child === "object" ? child : undefined;
}
