// The settings as a flat list, read from the schema: the one source of the errors, the environment names and the docs.
import { z } from "zod";
import { Settings } from "../contract/settings.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

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
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const child =
    typeof name === "number" ? schema.items : (schema.properties?.[String(name)] ?? schema.additionalProperties);
  return typeof child === "object" && !Array.isArray(child) ? schemaAt(child, rest) : undefined;
}

/** The names that may stand in an object of the file; none where any name may. */
export function knownNames(schema: JsonSchema | undefined): readonly string[] {
  return Object.keys(schema?.properties ?? {});
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

/** What may be written, in words that complete "it must be …". */
export function describeAllowed(schema: JsonSchema): string {
  return variants(schema).map(describeVariant).join(" or ");
}

function variants(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.anyOf) return schema.anyOf.filter((one) => typeof one === "object");
  const types: unknown = schema.type;
  // zod writes a nullable string as type: ["string", "null"], which its own type does not know
  return Array.isArray(types) ? types.map((type) => ({ ...schema, type })) : [schema];
}

function describeVariant(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  switch (schema.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return `a whole number${describeRange(schema)}`;
    case "number":
      return `a number${describeRange(schema)}`;
    case "string":
      return describeText(schema);
    case "null":
      return "null";
    case "array":
      return typeof schema.items === "object" && !Array.isArray(schema.items)
        ? `a list, each entry ${describeAllowed(schema.items)}`
        : "a list";
    case "object":
      return describeObject(schema);
    default:
      return "a value";
  }
}

function describeObject(schema: JsonSchema): string {
  const names = schema.properties ? Object.keys(schema.properties) : [];
  if (names.length > 0) return `an object of ${names.join(", ")}`;
  const values = schema.additionalProperties;
  return typeof values === "object" ? `an object whose values are each ${describeAllowed(values)}` : "an object";
}

function describeText(schema: JsonSchema): string {
  if (schema.format === "uri") return "a web address such as http://127.0.0.1:11434/v1";
  if (schema.pattern) return `text that matches ${schema.pattern.replaceAll("\\/", "/")}`;
  if (schema.maxLength !== undefined) return `text of ${schema.minLength ?? 0} to ${schema.maxLength} characters`;
  return schema.minLength ? `text of at least ${schema.minLength} characters` : "text";
}

function describeRange(schema: JsonSchema): string {
  const least = schema.type === "integer" && schema.exclusiveMinimum === 0 ? 1 : schema.minimum;
  // zod gives every whole number this upper end; nobody needs to read it
  const most = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const lower = least === undefined ? describeAbove(schema.exclusiveMinimum) : ` of at least ${least}`;
  return most === undefined ? lower : `${lower}${lower === "" ? " of" : " and"} at most ${most}`;
}

function describeAbove(limit: number | boolean | undefined): string {
  return typeof limit !== "number" ? "" : ` above ${limit}`;
}
