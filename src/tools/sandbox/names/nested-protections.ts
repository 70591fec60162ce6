import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Protection } from "../stand-ins/stand-ins.ts";
import { type BytePath, bytePath, folderOf, textOf } from "./byte-path.ts";
import { fileId } from "./file-id.ts";
import type { FoundName } from "./name-index.ts";

/** Every mount makes each further one dearer; beyond these, a folder is protected for all that is in it. */
const mostMounts = 150;

type Place = { path: string; kind: "read-only" | "hidden"; isFolder: boolean; id?: string; folder?: string };

/** What to mount over protected names, parents first; what cannot be mounted by itself is kept by the folder around it. */
export function nestedProtections(
  workspace: string,
  found: readonly FoundName[],
  most = mostMounts,
): readonly Protection[] | { refused: string } {
  const places = new Map<string, Place>();
  for (const one of found) {
    const place = placeOf(workspace, one);
    if (place === undefined) continue;
    if (place.path === "")
      return {
        refused: `${JSON.stringify(textOf(one.path))} in ${workspace} cannot be protected: give it a plain name.`,
      };
    add(places, place);
  }
  const all = gathered(places, most);
  if (all.length > most)
    return { refused: `Protected files lie in more than ${most} places of ${workspace}: move them into one folder.` };
  return all.map(({ path, kind, isFolder, id, folder }) => ({
    name: path,
    kind: kind === "hidden" && isFolder ? "hidden-folder" : kind,
    ...(id !== undefined && folder !== undefined ? { id, folder } : numbersOf(join(workspace, path))),
  }));
}

function numbersOf(path: string): { id: string; folder: string } | undefined {
  const [found, around] = [path, dirname(path)].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  return found && around && { id: fileId(found), folder: fileId(around) };
}

function placeOf(workspace: string, { path, role, kind, id, folder }: FoundName): Place | undefined {
  const access = role === "secret" ? "hidden" : "read-only";
  if (kind === "link") return linkedPlace(workspace, path, access);
  let named = path;
  // a name that is not text cannot be handed to the programs that make mounts
  while (named !== "" && !isText(named)) named = folderOf(named);
  const isFolder = kind === "folder" || named !== path;
  return { path: textOf(named), kind: access, isFolder, ...(named === path && { id, folder }) };
}

/** A mount would land on what the link leads to, so it is that which is protected, if it lies in the workspace at all. */
function linkedPlace(workspace: string, path: BytePath, kind: Place["kind"]): Place | undefined {
  try {
    const real = realpathSync.native(join(workspace, textOf(path)));
    const inside = relative(workspace, real);
    const leadsUp = inside === "" || inside.startsWith("..") || `${textOf(path)}/`.startsWith(`${inside}/`);
    return leadsUp ? undefined : { path: inside, kind, isFolder: statSync(real).isDirectory() };
  } catch {
    // it leads nowhere, and what may come to lie there has its own name
    return undefined;
  }
}

function add(places: Map<string, Place>, place: Place): void {
  const before = places.get(place.path);
  places.set(place.path, before?.kind === "hidden" ? before : place);
}

/** Without those that lie in a folder which is protected in the same way or better. */
function covering(places: ReadonlyMap<string, Place>): Place[] {
  const all = [...places.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return all.filter((place) => {
    for (let folder = folderOf(place.path); folder !== ""; folder = folderOf(folder)) {
      const around = places.get(folder);
      if (around?.isFolder && (around.kind === "hidden" || around.kind === place.kind)) return false;
    }
    return true;
  });
}

/**
 * Where there are too many, the deepest folder that holds enough of them is protected whole; where none does, as many of
 * the folders on top as it takes, those with most of them first.
 */
function gathered(places: Map<string, Place>, most: number): Place[] {
  const all = covering(places);
  let tooMany = all.length - most;
  if (tooMany <= 0) return all;
  const groups = foldersAround(all);
  const depth = (path: string) => path.split("/").length;
  const enough = [...groups].filter(([, inside]) => inside.length > tooMany);
  const [deepest] = enough.sort(([one], [other]) => depth(other) - depth(one));
  if (deepest) protectWhole(places, ...deepest);
  else {
    const onTop = [...groups].filter(([path]) => depth(path) === 1);
    for (const [path, inside] of onTop.sort(([, one], [, other]) => other.length - one.length)) {
      if (tooMany <= 0) break;
      protectWhole(places, path, inside);
      tooMany -= inside.length - 1;
    }
  }
  return covering(places);
}

function foldersAround(all: readonly Place[]): Map<string, Place[]> {
  const groups = new Map<string, Place[]>();
  for (const place of all)
    for (let folder = folderOf(place.path); folder !== ""; folder = folderOf(folder)) {
      const inside = groups.get(folder) ?? [];
      inside.push(place);
      groups.set(folder, inside);
    }
  return groups;
}

function protectWhole(places: Map<string, Place>, path: string, inside: readonly Place[]): void {
  const kind = inside.some((place) => place.kind === "hidden") ? "hidden" : "read-only";
  places.set(path, { path, kind, isFolder: true });
}

function isText(path: BytePath): boolean {
  return bytePath(textOf(path)) === path;
}
