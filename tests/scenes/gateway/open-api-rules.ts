// What OpenAPI 3.1 asks of a document, as far as ours goes: the shapes of its objects, and what holds between them.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type Json = Record<string, unknown>;
export type Operation = {
  operationId: string;
  parameters: { name: string; in: string; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
};
export type ReadDocument = { paths: Record<string, Record<string, Operation>>; components: { schemas: Json } };

const schema = { $ref: "#/$defs/schema" };
const content = {
  type: "object",
  minProperties: 1,
  propertyNames: { pattern: "^(\\*|[\\w.+-]+)/(\\*|[\\w.+-]+)(;.*)?$" },
  additionalProperties: { type: "object", required: ["schema"], properties: { schema }, additionalProperties: false },
};
const parameter = {
  type: "object",
  required: ["name", "in", "required", "schema"],
  properties: {
    name: { type: "string", minLength: 1 },
    in: { enum: ["path", "query", "header", "cookie"] },
    required: { type: "boolean" },
    description: { type: "string" },
    schema,
  },
  if: { properties: { in: { const: "path" } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { required: { const: true } } },
  additionalProperties: false,
};
const response = {
  type: "object",
  required: ["description"],
  properties: {
    description: { type: "string", minLength: 1 },
    content,
    headers: { type: "object", additionalProperties: { type: "object", required: ["schema"] } },
  },
  additionalProperties: false,
};
const operation = {
  type: "object",
  required: ["operationId", "summary", "parameters", "responses"],
  properties: {
    operationId: { type: "string", pattern: "^[A-Za-z]\\w*$" },
    summary: { type: "string", minLength: 1 },
    security: { type: "array", maxItems: 0 },
    "x-scopes": { type: "array", contains: { const: "owner" }, uniqueItems: true },
    parameters: { type: "array", items: parameter },
    requestBody: {
      type: "object",
      required: ["content"],
      properties: { required: { type: "boolean" }, content },
      additionalProperties: false,
    },
    responses: {
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: "^[1-5]\\d\\d$" },
      additionalProperties: response,
    },
  },
  // either anyone may come, or it is said who
  oneOf: [{ required: ["security"] }, { required: ["x-scopes"] }],
  additionalProperties: false,
};
const document = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["openapi", "info", "servers", "security", "paths", "components"],
  properties: {
    openapi: { const: "3.1.0" },
    info: { type: "object", required: ["title", "version"] },
    servers: { type: "array", items: { type: "object", required: ["url"] } },
    security: { type: "array", minItems: 1, items: { type: "object", additionalProperties: { type: "array" } } },
    paths: {
      type: "object",
      propertyNames: { pattern: "^/" },
      additionalProperties: {
        type: "object",
        propertyNames: { enum: ["get", "post", "put", "delete", "patch"] },
        additionalProperties: operation,
      },
    },
    components: {
      type: "object",
      required: ["schemas", "securitySchemes"],
      properties: {
        schemas: { type: "object", propertyNames: { pattern: "^[\\w.-]+$" }, additionalProperties: schema },
        securitySchemes: { type: "object", additionalProperties: { type: "object", required: ["type"] } },
      },
    },
  },
  // a Schema Object of OpenAPI 3.1 is a JSON Schema of the dialect 2020-12
  $defs: { schema: { $ref: "https://json-schema.org/draft/2020-12/schema" } },
};

/** Everything that is wrong with the document; nothing when it is in order. */
export function findFaults(read: unknown): readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const valid = ajv.compile(document);
  if (!valid(read)) return (valid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  const { paths, components } = read as ReadDocument;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map((one) => ({ path, ...one })),
  );
  const ids = operations.map((one) => one.operationId);
  const references = [...JSON.stringify(read).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? "");
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `operationId ${id} is given twice`),
    ...operations.flatMap(({ path, parameters }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((one) => one.in === "path").map((one) => one.name);
      return inPath.sort().join() === declared.sort().join() ? [] : [`${path} declares ${declared.join()}`];
    }),
    ...references
      .filter((reference) => !Object.hasOwn(components.schemas, reference.replace("#/components/schemas/", "")))
      .map((reference) => `${reference} leads nowhere`),
  ];
}

/** Checks values against schemas of the document, which may refer to its components. */
export function openDocumentChecker({ components }: ReadDocument): (value: unknown, schema: Json) => readonly string[] {
  const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false, allowUnionTypes: true });
  ajv.addKeyword("components");
  // of the largest ones it takes long enough for a server to hang up meanwhile
  const compiled = new Map<Json, ValidateFunction>();
  return (value, schema) => {
    const valid = compiled.get(schema) ?? ajv.compile({ allOf: [schema], components });
    compiled.set(schema, valid);
    return valid(value) ? [] : (valid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}
