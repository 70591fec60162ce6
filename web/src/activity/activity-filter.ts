import type { Event } from "../../../src/contract/event.ts";
import { isBackground } from "../words.ts";
import { type ActivityKind, activityKinds, isOfKinds, isSmall } from "./describe/event-kinds.ts";

export type ActivityFilter = {
  /** None: all of them. */
  kinds: readonly ActivityKind[];
  sessionKey: string | undefined;
  text: string;
  smallSteps: boolean;
};

/** The parts of the address after /activity: `kind=tools,files`, `in=web--42`, `text=invoice`, `steps=all`, in any order. */
export function readFilter(route: readonly string[]): ActivityFilter {
  const parts = new Map(route.map(splitPart));
  const kinds = (parts.get("kind") ?? "").split(",");
  return {
    kinds: activityKinds.filter((kind) => kinds.includes(kind)),
    sessionKey: parts.get("in") || undefined,
    text: (parts.get("text") ?? "").slice(0, mostText),
    smallSteps: parts.get("steps") === "all",
  };
}

export function filterPath(filter: ActivityFilter): string {
  const parts = [
    ...(filter.kinds.length > 0 ? [`kind=${filter.kinds.join(",")}`] : []),
    ...(filter.sessionKey ? [`in=${encodeURIComponent(filter.sessionKey)}`] : []),
    ...(filter.text.trim() === "" ? [] : [`text=${encodeURIComponent(filter.text.trim())}`]),
    ...(filter.smallSteps ? ["steps=all"] : []),
  ];
  return ["/activity", ...parts].join("/");
}

/** Whether an event that has just happened belongs into the list; the gateway judges the older ones. */
export function matches(filter: ActivityFilter, event: Event): boolean {
  if (!isShown(filter, event)) return false;
  if (filter.sessionKey !== undefined && event.conversation !== filter.sessionKey) return false;
  return filter.text === "" || JSON.stringify(event).toLowerCase().includes(filter.text.toLowerCase());
}

/** Whether a line is made of it: some events are asked for only because others are explained by them. */
export function isShown(filter: ActivityFilter, event: Event): boolean {
  if (!filter.smallSteps && isSmall(event.type)) return false;
  // what a task sets up for its own runs is told by the task
  if (event.type === "conversation.configured" && isBackground(event.conversation) && !filter.smallSteps) return false;
  if (event.type === "turn.finished" && event.ending === "answered" && !filter.smallSteps) return false;
  if (event.type === "tool.returned" && onlyFiles(filter.kinds)) return event.changes.length > 0;
  return isOfKinds(event, filter.kinds);
}

export function isFiltered(filter: ActivityFilter): boolean {
  return filter.kinds.length > 0 || filter.sessionKey !== undefined || filter.text !== "";
}

// the gateway takes no longer text
const mostText = 200;

function onlyFiles(kinds: readonly ActivityKind[]): boolean {
  return kinds.includes("files") && !kinds.includes("tools");
}

function splitPart(part: string): [string, string] {
  const at = part.indexOf("=");
  return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
}
