// A JSON Schema in, what kind of control a person needs out. Shapes that no control fits are edited as JSON.

export type Shape =
  | { kind: "switch" }
  | { kind: "number"; whole: boolean; least?: number; above?: number; most?: number }
  | { kind: "text"; shortest?: number; longest?: number; pattern?: string; isAddress: boolean }
  | { kind: "choice"; options: readonly string[] }
  | { kind: "list"; item: Field }
  | { kind: "group"; fields: readonly NamedField[] }
  | { kind: "record"; entry: Field; namePattern?: string }
  | { kind: "json" };

export type Field = {
  shape: Shape;
  nullable: boolean;
  description: string;
  /** Undefined: there is none. */
  byDefault: unknown;
};
export type NamedField = Field & { name: string; required: boolean };

type Schema = Readonly<Record<string, unknown>>;

export function readField(raw: unknown): Field {
  const schema = asSchema(raw);
  const { variant, nullable } = withoutNull(schema);
  return {
    shape: readShape(variant),
    nullable,
    description: textOf(schema.description) ?? textOf(variant.description) ?? "",
    byDefault: schema.default,
  };
}

/** The named fields of an object's schema, in the order in which it lists them. */
export function readFields(raw: unknown): NamedField[] {
  const schema = asSchema(raw);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asSchema(schema.properties)).map(([name, child]) => ({
    name,
    required: required.includes(name),
    ...readField(child),
  }));
}

// a value that may be null is written as anyOf or as a list of types
function withoutNull(schema: Schema): { variant: Schema; nullable: boolean } {
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const others = choices.map(asSchema).filter((choice) => choice.type !== "null");
    const nullable = others.length < choices.length;
    return { variant: others.length === 1 && others[0] ? others[0] : {}, nullable };
  }
  if (!Array.isArray(schema.type)) return { variant: schema, nullable: false };
  const types = schema.type.filter((type) => type !== "null");
  return {
    variant: { ...schema, type: types.length === 1 ? types[0] : undefined },
    nullable: schema.type.includes("null"),
  };
}

function readShape(schema: Schema): Shape {
  const options = Array.isArray(schema.enum) ? schema.enum.filter((option) => option !== null) : undefined;
  if (options?.every((option) => typeof option === "string")) return { kind: "choice", options };
  switch (options ? "json" : schema.type) {
    case "boolean":
      return { kind: "switch" };
    case "integer":
    case "number":
      return readNumber(schema);
    case "string":
      return readText(schema);
    case "array":
      return { kind: "list", item: readField(schema.items) };
    case "object":
      return readObject(schema);
    default:
      return { kind: "json" };
  }
}

function readNumber(schema: Schema): Shape {
  const whole = schema.type === "integer";
  const above = numberOf(schema.exclusiveMinimum);
  const least = numberOf(schema.minimum) ?? (whole && above !== undefined ? above + 1 : undefined);
  const most = numberOf(schema.maximum);
  return {
    kind: "number",
    whole,
    ...(least !== undefined && least > Number.MIN_SAFE_INTEGER && { least }),
    ...(!whole && above !== undefined && { above }),
    // every whole number has this upper end; nobody needs to read it
    ...(most !== undefined && most < Number.MAX_SAFE_INTEGER && { most }),
  };
}

function readText(schema: Schema): Shape {
  const pattern = textOf(schema.pattern);
  const shortest = numberOf(schema.minLength);
  const longest = numberOf(schema.maxLength);
  return {
    kind: "text",
    isAddress: schema.format === "uri",
    ...(pattern !== undefined && { pattern }),
    ...(shortest !== undefined && { shortest }),
    ...(longest !== undefined && { longest }),
  };
}

function readObject(schema: Schema): Shape {
  if (schema.properties) return { kind: "group", fields: readFields(schema) };
  if (typeof schema.additionalProperties !== "object") return { kind: "json" };
  const namePattern = textOf(asSchema(schema.propertyNames).pattern);
  return {
    kind: "record",
    entry: readField(schema.additionalProperties),
    ...(namePattern !== undefined && { namePattern }),
  };
}

function asSchema(raw: unknown): Schema {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) ? (raw as Schema) : {};
}

function textOf(raw: unknown): string | undefined {
  return typeof raw === "string" ? raw : undefined;
}

function numberOf(raw: unknown): number | undefined {
  return typeof raw === "number" ? raw : undefined;
}
