import { posix } from "node:path";
import type { FileLookup } from "./file-lookup.ts";

/** Where a path leads with links resolved in every part that exists; undefined when a link leads nowhere that is known. */
export function resolveReal(files: FileLookup, path: string): string | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const beginning = (count: number) => `/${parts.slice(0, count).join("/")}`;
  const there = longestThere(files, beginning, parts.length);
  if (!there) return undefined;
  // a write through a dangling link creates its target, wherever that is
  if (there.count < parts.length && files.lstat(beginning(there.count + 1)) === "link") return undefined;
  if (there.real !== beginning(there.count) && leadsThroughProc(files, beginning(there.count))) return undefined;
  return withRest(files, there.real, parts.slice(there.count));
}

/** How many parts of a path exist: mostly all, or all but the last; else found by halves, for a path may have a thousand. */
function longestThere(
  files: FileLookup,
  beginning: (count: number) => string,
  most: number,
): { count: number; real: string } | undefined {
  for (let count = most; count >= most - 1 && count >= 0; count--) {
    const real = files.realpath(beginning(count));
    if (real !== undefined) return { count, real };
  }
  let [there, missing] = [0, most - 1];
  let real = files.realpath("/");
  while (missing - there > 1) {
    const middle = (there + missing) >> 1;
    const found = files.realpath(beginning(middle));
    if (found === undefined) missing = middle;
    else [there, real] = [middle, found];
  }
  return real === undefined ? undefined : { count: there, real };
}

/** Links of /proc lead every process somewhere else: where they lead this one says nothing about the command. */
function leadsThroughProc(files: FileLookup, path: string): boolean {
  const waiting = path.split("/").reverse();
  let at = "/";
  for (let steps = 0; waiting.length > 0; steps++) {
    if (steps > mostSteps || isInside("/proc", at)) return true;
    const next = posix.join(at, waiting.pop() ?? "");
    const target = files.lstat(next) === "link" ? files.readlink(next) : undefined;
    if (target === undefined) at = next;
    else {
      waiting.push(...target.split("/").reverse());
      if (target.startsWith("/")) at = "/";
    }
  }
  return isInside("/proc", at);
}

const mostSteps = 1000;

function withRest(files: FileLookup, real: string, rest: readonly string[]): string | undefined {
  if (rest.length === 0) return real;
  const joined = posix.join(real, ...rest);
  return rest.includes("..") ? resolveReal(files, joined) : joined;
}

export function absolutePath(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

/** The places a path may mean: as the kernel walks it, and as tools that shorten `x/..` first see it. */
export function realPlaces(files: FileLookup, folder: string, path: string): readonly string[] | undefined {
  const walked = resolveReal(files, absolutePath(folder, path));
  if (walked === undefined) return undefined;
  if (!path.split("/").includes("..")) return [walked];
  const shortened = resolveReal(files, posix.resolve(folder, path));
  return shortened === undefined ? undefined : [walked, shortened];
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** The path from a folder to a place inside it. */
export function pathBelow(folder: string, place: string): string {
  return place === folder ? "" : place.slice(folder === "/" ? 1 : folder.length + 1);
}
