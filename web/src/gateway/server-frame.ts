// What the gateway says, one JSON text a frame. It is our own server on our own origin, so only the shape that
// decides where a frame goes is looked at: a schema library would be half of the first page.
import type { Event } from "../../../src/contract/event.ts";
import type { LiveSignal } from "../../../src/contract/wire/live-signal.ts";

export type ServerFrame =
  | { kind: "welcome" }
  | { kind: "unwelcome"; message: string }
  | { kind: "result"; id: string; result: unknown }
  | { kind: "refusal"; id: string; reason: string; message: string }
  | { kind: "event"; event: Event }
  | { kind: "live"; signal: LiveSignal };

/** Undefined for what this page does not know, such as a frame of a newer server. */
export function readServerFrame(text: unknown): ServerFrame | undefined {
  const frame = parseObject(text);
  if (!frame) return undefined;
  if (frame.type === "auth") {
    return frame.ok === true ? { kind: "welcome" } : { kind: "unwelcome", message: wordsOf(frame.message) };
  }
  if (typeof frame.id === "string") return readAnswer(frame.id, frame);
  if (!isObject(frame.data) || typeof frame.data.type !== "string") return undefined;
  if (frame.event === "log" && typeof frame.data.seq === "number") {
    return { kind: "event", event: frame.data as unknown as Event };
  }
  return frame.event === "live" ? { kind: "live", signal: frame.data as unknown as LiveSignal } : undefined;
}

function readAnswer(id: string, frame: Record<string, unknown>): ServerFrame {
  if (!("error" in frame)) return { kind: "result", id, result: frame.result };
  const error = isObject(frame.error) ? frame.error : {};
  const reason = isObject(error.data) && typeof error.data.reason === "string" ? error.data.reason : "failed";
  return { kind: "refusal", id, reason, message: wordsOf(error.message) };
}

function parseObject(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // not JSON: nothing our server sends, so there is nobody to tell
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wordsOf(message: unknown): string {
  return typeof message === "string" && message !== "" ? message : "Steward could not do that.";
}
