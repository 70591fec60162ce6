// The settings as a flat list, read from the schema: the one source of the errors, the environment names and the docs.
import { z } from "zod";
import { Settings } from "../contract/settings.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export type SettingKey = {
  /** `["agent", "maxSteps"]` */
  path: readonly string[];
  environmentName: string;
  schema: JsonSchema;
};

export function settingsSchema(): JsonSchema {
  return z.toJSONSchema(Settings, { io: "input" });
}

export function listSettingKeys(schema: JsonSchema, path: readonly string[] = []): readonly SettingKey[] {
  if (!schema.properties) return [{ path, environmentName: environmentNameOf(path), schema }];
  return Object.entries(schema.properties).flatMap(([name, child]) =>
    typeof child === "object" ? listSettingKeys(child, [...path, name]) : [],
  );
}

/** `agent.maxSteps` → `STEWARD_AGENT_MAX_STEPS` */
function environmentNameOf(path: readonly string[]): string {
  return ["STEWARD", ...path.map((name) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase())].join("_");
}

/** The schema of any place in the file, also inside records and lists. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((inside, name) => inside && childOf(inside, name), schema);
}

function childOf(schema: JsonSchema, name: PropertyKey): JsonSchema | undefined {
  const named = schema.properties ? schema.properties[String(name)] : schema.additionalProperties;
  const child = typeof name === "number" ? schema.items : named;
  return typeof child === "object" && !Array.isArray(child) ? child : undefined;
}

export type SettingPlace = { path: readonly string[]; schema: JsonSchema };

/** `sandbox.credentials.api.example.com.header` → its names: the keys of a record, such as hosts, may hold dots themselves. */
export function findSetting(key: string): SettingPlace | undefined {
  let schema = settingsSchema();
  const path: string[] = [];
  let rest: readonly string[] = key.split(".");
  while (rest.length > 0) {
    const length = lengthOfNext(schema, rest);
    const name = rest.slice(0, length).join(".");
    const child = childNamed(schema, name);
    if (!child) return undefined;
    path.push(name);
    schema = child;
    rest = rest.slice(length);
  }
  return { path, schema };
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
  return name === "" || name in {} ? undefined : childOf(schema, name);
}

export function isNullable(schema: JsonSchema): boolean {
  return variants(schema).some((variant) => variant.type === "null");
}

/** The type that a value other than null has. */
export function valueType(schema: JsonSchema): string | undefined {
  return variants(schema)
    .map((variant) => String(variant.type))
    .find((type) => type !== "null");
}

/** One schema for each kind of value that may stand there. */
export function variants(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.anyOf) return schema.anyOf.filter((one) => typeof one === "object");
  const types: unknown = schema.type;
  // zod writes a nullable string as type: ["string", "null"], which its own type does not know
  return Array.isArray(types) ? types.map((type) => ({ ...schema, type })) : [schema];
}
