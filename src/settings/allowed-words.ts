import { type JsonSchema, variants } from "./setting-keys.ts";

/** What may be written, in words that complete "it must be …". */
export function describeAllowed(schema: JsonSchema): string {
  return variants(schema).map(describeVariant).join(" or ");
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
