import type { MemoryFind, MemoryPlace } from "../../../src/contract/memory/memory-place.ts";

export type Lines = { start: number; end: number };

/** What of the memory is looked at; `group`: that of a group instead of the owner's own. */
export type MemoryView = { group?: string | undefined } & (
  | { view: "search"; query: string }
  | { view: "files" }
  /** `best`: those of the lines that fit best. */
  | { view: "file"; path: string; lines?: Lines | undefined; best?: Lines | undefined }
  /** `version`: an earlier one, to be made the present one again. */
  | { view: "edit"; path: string; version?: string | undefined }
  | { view: "history"; path: string }
  /** `seq`: of the event that tells of it, to begin there. */
  | { view: "recalled"; seq?: number | undefined }
  | { view: "forget"; about: string }
);

/** The parts of the address after /memory: nothing, `search/<words>`, `file/<path>/12-14/13`, `recalled/512`; `in/<group>` before them. */
export function readView(route: readonly string[]): MemoryView {
  const [first, second] = route;
  if (first === "in" && second !== undefined) return { ...readOwn(route.slice(2)), group: second };
  return readOwn(route);
}

function readOwn([view, part = "", more, best]: readonly string[]): MemoryView {
  const words = decodePart(part);
  if (view === "files") return { view };
  if (view === "recalled") return { view, seq: Number(part) || undefined };
  if (view === "forget") return { view, about: words };
  if (view === "file" && words !== "") return { view, path: words, lines: readLines(more), best: readLines(best) };
  if (view === "edit" && words !== "") return { view, path: words, version: more };
  if (view === "history" && words !== "") return { view, path: words };
  return { view: "search", query: view === "search" ? words : "" };
}

export function viewPath(view: MemoryView): string {
  const group = view.group === undefined ? "" : `/in/${view.group}`;
  const parts = partsOf(view).filter((part) => part !== "");
  return [`/memory${group}`, ...parts].join("/");
}

function partsOf(view: MemoryView): readonly string[] {
  switch (view.view) {
    case "search":
      return view.query.trim() === "" ? [] : ["search", encodePart(view.query.trim())];
    case "files":
      return ["files"];
    case "file":
      return ["file", encodePart(view.path), linesPart(view.lines), linesPart(view.best)];
    case "edit":
      return ["edit", encodePart(view.path), view.version ?? ""];
    case "history":
      return ["history", encodePart(view.path)];
    case "recalled":
      return ["recalled", String(view.seq ?? "")];
    case "forget":
      return ["forget", encodePart(view.about.trim())];
    default:
      return view satisfies never;
  }
}

/** Where a find can be read in its place, beginning with what of it fits best. */
export function placePath(
  place: MemoryPlace & Pick<MemoryFind, "best">,
  group: string | undefined,
): string | undefined {
  const { path, startLine, endLine, sessionKey, fromSeq, best } = place;
  if (path !== undefined) {
    const lines = startLine === undefined ? undefined : { start: startLine, end: endLine ?? startLine };
    return viewPath({ view: "file", group, path, lines, best: bestLines(best) });
  }
  if (sessionKey === undefined) return undefined;
  const seq = best?.seq ?? fromSeq;
  return `/chat/${encodeURIComponent(sessionKey)}${seq === undefined ? "" : `/${seq}`}`;
}

export function bestLines(best: MemoryFind["best"]): Lines | undefined {
  if (best?.startLine === undefined) return undefined;
  return { start: best.startLine, end: best.startLine + best.text.split("\n").length - 1 };
}

function linesPart(lines: Lines | undefined): string {
  return lines ? `${lines.start}-${lines.end}` : "";
}

function readLines(text: string | undefined): Lines | undefined {
  const [, start, end] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(text ?? "") ?? [];
  return start === undefined ? undefined : { start: Number(start), end: Number(end ?? start) };
}

// slashes, dots and percent signs would make the gateway take the address for a file's, or refuse it (path traversal)
function encodePart(text: string): string {
  return encodeURIComponent(text).replaceAll("~", "%7E").replaceAll(".", "%2E").replaceAll("%", "~");
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("~", "%"));
  } catch {
    // written by hand: the words are what they look like
    return part;
  }
}
