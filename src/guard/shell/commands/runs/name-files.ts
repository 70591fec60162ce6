import { type Field, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { belowRoot, isReadable } from "../../paths/check-path.ts";
import { secretPart } from "../../paths/protected-paths.ts";
import { absolutePath, resolveReal } from "../../paths/real-path.ts";

/** A file that becomes part of what runs; one that is missing too, because what comes to lie there would run instead. */
export function noteRun(site: Site, path: string): void {
  const place = resolveReal(site.policy.files, absolutePath(site.folder, path));
  if (place === undefined || !isReadable(site.policy, place) || site.policy.files.lstat(place) === "folder") return;
  site.noteUse(place, "run");
}

/** Whatever in the arguments is the name of a file, alone or after an option: the program may read or run it. */
export function noteNamed(site: Site, args: readonly Field[]): void {
  for (const argument of args) {
    if (argument.kind === "text") for (const path of pathsIn(argument.text)) noteIfFile(site, path);
    else if (argument.kind === "unknown") site.noteUnnamed();
  }
}

function pathsIn(text: string): readonly string[] {
  const value = /^.*[=:](.*)$/s.exec(text)?.[1];
  const attached = /^(?:-[A-Za-z]|@)(.+)$/s.exec(text)?.[1];
  return [text, value, attached].filter((path) => path !== undefined && path !== "" && path.length < 4096) as string[];
}

function noteIfFile(site: Site, path: string): void {
  const { files } = site.policy;
  const place = resolveReal(files, absolutePath(site.folder, path));
  const inside = place === undefined ? undefined : belowRoot(site.policy, place);
  if (place === undefined || inside === undefined) return;
  const secret = secretPart(path) ?? secretPart(inside);
  if (secret) site.deny("secrets", `${site.command} would get ${showText(path)}, which holds secrets`);
  else if (files.lstat(place) === "file") site.noteUse(place, "run");
}
