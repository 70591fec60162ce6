// A tool call in words: what it is done to, how it stands, what it was given.

import type { ToolItem } from "../../../../src/contract/conversation/conversation.ts";
import { formatDuration } from "../../../../src/contract/words/amounts.ts";
import { changedPaths } from "../../../../src/contract/words/changed-files.ts";
import { visibleLine } from "../../../../src/contract/words/visible-line.ts";
import { pagesRead } from "../../tool-words.ts";

export type GivenValue =
  | { name: string; kind: "text"; text: string }
  | { name: string; kind: "replacements"; replacements: readonly { oldText: string; newText: string }[] };

/** Every argument with its name, whole. */
export function givenValues(given: unknown): readonly GivenValue[] {
  if (given === undefined || given === null) return [];
  if (typeof given !== "object" || Array.isArray(given)) return [{ name: "given", kind: "text", text: textOf(given) }];
  return Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([field, value]): GivenValue => {
      const name = fieldName(field);
      if (isReplacements(value)) return { name, kind: "replacements", replacements: value };
      return { name, kind: "text", text: textOf(value) };
    });
}

function isReplacements(value: unknown): value is { oldText: string; newText: string }[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one?.oldText === "string" && typeof one?.newText === "string")
  );
}

/** `ignoreCase`, `max_results` → `ignore case`, `max results` */
function fieldName(field: string): string {
  return field
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return JSON.stringify(value, undefined, 2);
}

export type ToolStanding = { words: string; tone: "quiet" | "busy" | "good" | "warning" | "danger" };

export function toolStanding(item: ToolItem, nowMs: number): ToolStanding {
  switch (item.status) {
    case "called":
      return { words: "Preparing", tone: "busy" };
    case "running":
      return { words: formatDuration(runningMs(item, nowMs)), tone: "busy" };
    case "waiting":
      return { words: "Waiting for you", tone: "warning" };
    case "done": {
      const took = item.durationMs === undefined ? "Done" : formatDuration(item.durationMs);
      const pages = pagesRead(item.tool, item.output);
      return { words: pages === undefined ? took : `${pages}, ${took}`, tone: "good" };
    }
    case "failed":
      return { words: "Failed", tone: "danger" };
    case "denied":
      return { words: "Not allowed", tone: "danger" };
    case "stopped":
      return { words: item.startedAtMs === undefined ? "Not run" : "Stopped", tone: "quiet" };
    case "unknown":
      return { words: "Outcome unknown", tone: "warning" };
    default:
      return item.status satisfies never;
  }
}

// whole seconds: a figure that changes faster only flickers
function runningMs(item: ToolItem, nowMs: number): number {
  return Math.floor(Math.max(0, nowMs - (item.startedAtMs ?? nowMs)) / 1000) * 1000;
}

/** What a person should know at a glance when it did not simply work. */
export function toolTrouble(item: ToolItem): string | undefined {
  const told = visibleLine(plainOutput(item.output ?? ""), 300);
  if (item.status === "failed" || item.status === "denied") return told || undefined;
  if (item.status !== "unknown") return undefined;
  return told || "It was cut off while running and may or may not have happened. Check before asking for it again.";
}

export function changedWords(item: ToolItem): string {
  const paths = changedPaths(item.changes);
  const ofIt = item.changes.filter(({ path }) => path === paths[0]);
  const [first, last] = [ofIt[0], ofIt.at(-1)];
  if (paths.length !== 1 || !first || !last) return `Changed ${paths.length} files`;
  const path = visibleLine(first.path, 120);
  // a file changed twice by one call is what it was before the first time and after the last
  if (last.after === null) return `Deleted ${path}`;
  return first.before === null && first.notKept === undefined ? `Made ${path}` : `Changed ${path}`;
}

const colourCodes = new RegExp(
  `${String.fromCharCode(27)}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7)}]*${String.fromCharCode(7)})`,
  "g",
);

/** A program's output without the codes that colour a terminal. */
export function plainOutput(output: string): string {
  return output.replace(colourCodes, "").replace(/\r\n?/g, "\n").trimEnd();
}

const shownLines = 40;
const shownCharacters = 4000;

/** The beginning of a long output, or undefined when it is short enough to be shown whole. */
export function beginningOf(output: string): string | undefined {
  const cut = output.split("\n", shownLines).join("\n").slice(0, shownCharacters);
  return cut.length < output.length ? cut : undefined;
}
