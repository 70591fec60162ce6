// The OpenAPI 3.1 document, made from the routes that are served and the methods that can be called.
import type { z } from "zod";
import type { Route, RouteResponse } from "../../../contract/room/route.ts";
import type { Scope } from "../../../contract/wire/access.ts";
import type { MethodGroup } from "../../../contract/wire/methods/define-methods.ts";
import { callPath } from "../call-route.ts";
import { ErrorBody, type JsonSchema, type JsonSchemas, openJsonSchemas } from "./json-schemas.ts";

type Operation = Record<string, unknown>;
type PathItem = Record<string, Operation>;

const needsNoBody: ReadonlySet<string> = new Set(["GET", "DELETE"]);
const refusalDescriptions = {
  400: "Something about the request is wrong; the message says what.",
  401: "No token, or one that is not known.",
  403: "The token does not allow this.",
  404: "There is no such thing, or not for this token.",
  409: "It is too late for that, or something else is in the way.",
  413: "The body is too large.",
  415: "The body is not what its Content-Type should say.",
  429: "Too many requests; Retry-After says when to come back.",
  500: "Something went wrong inside Steward.",
};

export function openApiDocument(served: {
  routes: readonly Route[];
  methods: MethodGroup;
  version: string;
  url: string;
  cookieName: string;
}) {
  const schemas = openJsonSchemas();
  const paths: Record<string, PathItem> = {};
  for (const route of served.routes) {
    const described =
      route.path === callPath ? describeMethods(schemas, route, served.methods) : [describeRoute(schemas, route)];
    for (const { path, operation } of described)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Steward",
      version: served.version,
      description: "A personal assistant that you run yourself. Errors are `{error: {code, message}}`.",
    },
    servers: [{ url: served.url }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas: schemas.components(),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A token that the owner has made for a program." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: served.cookieName,
          description: "Set when a browser exchanges a one-time code.",
        },
      },
    },
  };
}

type Described = { path: string; operation: Operation };

function describeRoute(schemas: JsonSchemas, route: Route): Described {
  const path = route.path.replace(/:(\w+)/g, "{$1}");
  const operation = {
    operationId: operationId(route.method, path),
    summary: route.summary,
    ...access(route.scopes),
    parameters: [
      ...parametersOf(schemas, route.params, "path"),
      ...parametersOf(schemas, route.query, "query"),
      ...(route.documented?.requestHeaders ?? []).map(headerParameter),
    ],
    ...(!needsNoBody.has(route.method) && requestBody(schemas, route)),
    responses: responsesOf(schemas, route),
  };
  return { path, operation };
}

function describeMethods(schemas: JsonSchemas, route: Route, methods: MethodGroup): readonly Described[] {
  return Object.entries(methods).map(([name, schema]) => {
    const responses = { 200: { description: "What the method answers.", schema: schema.result } };
    const content = { "application/json": { schema: schemas.schemaOf(schema.params, "input") } };
    const operation = {
      operationId: `call_${name.replace(/\W/g, "_")}`,
      summary: `Calls ${name}.`,
      ...access(schema.scopes),
      parameters: [],
      requestBody: { required: !schema.params.safeParse({}).success, content },
      responses: responsesOf(schemas, { ...route, responses }),
    };
    return { path: route.path.replace(":method", name), operation };
  });
}

function access(scopes: readonly Scope[] | "anyone"): Operation {
  if (scopes === "anyone") return { security: [] };
  return { "x-scopes": ["owner", ...scopes] };
}

function parametersOf(schemas: JsonSchemas, schema: z.ZodObject, place: "path" | "query"): readonly Operation[] {
  const { properties = {}, required = [] } = schemas.schemaOf(schema, "input") as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, own]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: own,
  }));
}

function headerParameter(header: { name: string; description: string; required?: boolean }): Operation {
  const { name, description, required = false } = header;
  return { name, in: "header", required, description, schema: { type: "string" } };
}

function requestBody(schemas: JsonSchemas, route: Route): Operation {
  const { contentType, schema } = route.documented?.body ?? { contentType: "application/json", schema: route.body };
  // a route that reads nothing from the body takes none
  if (schema === route.body && route.body.safeParse(undefined).success) return {};
  return { requestBody: { required: true, content: { [contentType]: { schema: schemas.schemaOf(schema, "input") } } } };
}

function responsesOf(schemas: JsonSchemas, route: Route): Record<string, Operation> {
  const refusals = (route.refusals ?? []).map((status): [string, RouteResponse] => [
    String(status),
    { description: refusalDescriptions[status], schema: ErrorBody },
  ]);
  const headers = responseHeaders(route);
  return Object.fromEntries(
    [...Object.entries(route.responses), ...refusals].map(
      ([status, { description, schema, contentType = "application/json" }]) => {
        const content = schema && { content: { [contentType]: { schema: schemas.schemaOf(schema, "output") } } };
        return [status, { description, ...content, ...(status === "200" && headers && { headers }) }];
      },
    ),
  );
}

function responseHeaders({ documented }: Route): Record<string, Operation> | undefined {
  const entries = documented?.responseHeaders?.map(({ name, description }) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return entries && Object.fromEntries(entries);
}

function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replace(/\W+/g, "_")}`.replace(/_$/, "");
}
