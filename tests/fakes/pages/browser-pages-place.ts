import type { IncomingMessage, ServerResponse } from "node:http";

/** What a page needs to know of the place it is in. */
export type Place = { site: string; other: string; secret: string };
export type Pages = Record<
  string,
  (place: Place, request: IncomingMessage, response: ServerResponse) => string | undefined
>;
