import type { z } from "zod";
import type { Route } from "../http/route.ts";

/** What the OpenAPI document says beyond the schemas that the server itself reads. */
export type RouteNotes = {
  requestHeaders?: readonly { name: string; description: string; required?: boolean }[];
  responseHeaders?: readonly { name: string; description: string }[];
  /** What the body should be where the route reads it by itself, and under which content type. */
  body?: { contentType: string; schema: z.ZodType };
};
export type DocumentedRoute = Route & { notes?: RouteNotes };

export function withNotes(notes: RouteNotes, route: Route): DocumentedRoute {
  return { ...route, notes };
}
