import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { CallRefused } from "../../../contract/wire/client.ts";

export const LastEventIdQuery = z.strictObject({ lastEventId: z.string().max(30).optional() });
export const lastEventIdHeader = {
  name: "Last-Event-ID",
  description: "The id of the last event that was received; what came after it follows, without gaps or repeats.",
};

/** What a reader has already: everything up to this event, and of it the views up to this one. */
export type Position = { seq: number; view: number };

const allViews = Number.MAX_SAFE_INTEGER;

/** `12.1`, or `12` for the whole of event 12. The header is what browsers send when they come back. */
export function readLastEventId(headers: IncomingHttpHeaders, fromQuery: string | undefined): Position | undefined {
  const given = headers["last-event-id"]?.toString() ?? fromQuery;
  if (given === undefined || given === "") return undefined;
  const [, seq, view] = /^(0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,2}))?$/.exec(given) ?? [];
  if (seq === undefined)
    throw new CallRefused("invalid", "Last-Event-ID is the id of an event that this address has sent, such as 12.0.");
  return { seq: Number(seq), view: view === undefined ? allViews : Number(view) };
}

export function formatEventId(position: Position): string {
  return `${position.seq}.${position.view}`;
}

export function isAfter(one: Position, other: Position): boolean {
  return one.seq > other.seq || (one.seq === other.seq && one.view > other.view);
}
