import { posix, resolve } from "node:path";
import { foldName, memoryNames, steeringNames } from "../../../contract/names/protected-names.ts";
import type { Reach } from "../../../contract/tool.ts";
import { realFileLookup, rememberLookups } from "./file-lookup.ts";
import { protectedPart, repositoryPart, secretPart } from "./protected-paths.ts";
import { isInside, realPlaces, resolveReal } from "./real-path.ts";
import { hasMountsInside, protectedTwin } from "./twin-names.ts";

/** What a path of a tool is to the rules, whatever its spelling; of several places it may mean, the strictest counts. */
export type SeenPath = {
  /** Keys and passwords of the owner. */
  secret: boolean;
  /** What other programs run or do. */
  obeyed: boolean;
  /** The assistant's character, its rules, its skills. */
  steering: boolean;
  /** What the assistant writes down to know it later. */
  note: "yes" | "no" | "perhaps";
  /** Something protected is the same file under another name, or might be. */
  hasTwin: boolean;
};

/** undefined: it leads out of what is within reach, or nowhere that is known. */
export function lookAtPath(path: string, reach: Reach, writing = false): SeenPath | undefined {
  const { workspace, readDirs = [], writeDirs = [] } = reach;
  const inWorkspace = lookBelow(realRoot(workspace), path, writing);
  if (inWorkspace || !path.startsWith("/")) return inWorkspace;
  for (const folder of writing ? writeDirs : [...writeDirs, ...readDirs]) {
    const seen = lookBelow(folder, path, writing);
    // names that mean something at the top of the workspace mean nothing there
    if (seen) return { ...seen, steering: false, note: "no" };
  }
  return undefined;
}

function lookBelow(root: string | undefined, path: string, writing: boolean): SeenPath | undefined {
  const places = root === undefined ? undefined : placesBelow(root, path);
  if (root === undefined || !places) return undefined;
  const files = rememberLookups(realFileLookup);
  const twins = places.map((place) =>
    protectedTwin(files, root, posix.join(root, place), writing && hasMountsInside(root)),
  );
  const isThere = (inside: string) => files.lstat(posix.join(root, inside)) !== undefined;
  const notes = places.filter(isMemoryNote).length;
  const found = twins.flatMap((twin) => (twin.kind === "found" ? [twin.path] : []));
  return {
    secret: [...places, ...found].some((place) => secretPart(place) !== undefined),
    obeyed: places.some((place) => (protectedPart(place, false) ?? repositoryPart(place, isThere)) !== undefined),
    steering: places.some(isSteering),
    note: notes === 0 ? "no" : notes === places.length ? "yes" : "perhaps",
    hasTwin: twins.some(({ kind }) => kind !== "none"),
  };
}

/** A path as the model writes it, in the one spelling by which the log knows it. */
export function insideWorkspace(path: string, workspace: string): string {
  const root = realRoot(workspace);
  const elsewhere = () =>
    (path.startsWith("/") ? resolveReal(realFileLookup, path) : undefined) ?? posix.normalize(path);
  const [place = elsewhere()] = (root !== undefined && placesBelow(root, path)) || [];
  return oneSpelling(place);
}

/** Where links and folders are out of the question: letters that a disk may take for the same. */
export function oneSpelling(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** No disk takes a longer one. */
const longestPath = 4096;

function realRoot(workspace: string): string | undefined {
  return resolveReal(realFileLookup, resolve(workspace));
}

/** Every place that the path may mean, from the workspace's real folder and with links resolved. */
function placesBelow(root: string, path: string): readonly string[] | undefined {
  if (path.length > longestPath) return undefined;
  const places = realPlaces(realFileLookup, root, path);
  if (!places?.every((place) => isInside(root, place))) return undefined;
  // a link's own name counts as well as where it leads
  const typed = posix.resolve(root, path);
  const named = isInside(root, typed) && !places.includes(typed) ? [typed] : [];
  return [...places, ...named].map((place) => posix.relative(root, place) || ".");
}

export function isSteering(inside: string): boolean {
  return steeringNames.some((one) => isOnTop(one.name, inside));
}

function isMemoryNote(inside: string): boolean {
  const note = memoryNames.find((one) => isOnTop(one.name, inside));
  return note?.kind === "folder" ? inside.includes("/") : note !== undefined;
}

function isOnTop(name: string, inside: string): boolean {
  return foldName(inside.split("/", 1)[0] ?? "") === name.toLowerCase();
}
