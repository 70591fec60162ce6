import { z } from "zod";
import { defineRoute, type Route } from "../../../contract/room/route.ts";
import type { RestDeps } from "../rest-deps.ts";
import { openApiDocument } from "./openapi-document.ts";

export function openApiRoute(deps: RestDeps, routes: () => readonly Route[]): Route {
  // the routes do not change while Steward runs
  let bytes: Buffer | undefined;
  return defineRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This document.",
    scopes: ["read", "approve", "task"],
    responses: { 200: { description: "OpenAPI 3.1.", schema: z.looseObject({ openapi: z.string() }) } },
    refusals: [401],
    async answer() {
      bytes ??= Buffer.from(JSON.stringify(describe()));
      return { status: 200, bytes, headers: { "content-type": "application/json; charset=utf-8" } };
    },
  });

  function describe() {
    const methods = deps.gateway.methods();
    const place = { version: deps.about.version, url: deps.url(), cookieName: deps.cookieName() };
    return openApiDocument({ routes: routes(), methods, ...place });
  }
}
