import { posix } from "node:path";
import { type Field, showField, showText } from "../expand/field.ts";
import type { Site } from "../objections.ts";
import type { ShellPolicy } from "../policy.ts";
import { ownPart, protectedPart } from "./protected-paths.ts";
import { absolutePath, isInside, realPlaces, resolveReal } from "./real-path.ts";

/** remove: also what `mv` takes away. */
export type Access = "read" | "write" | "remove";

/** Objects to a path that the command may not use in this way. */
export function checkPath(site: Site, field: Field, access: Access): void {
  if (field.kind === "text") checkPathText(site, field.text, access);
  else if (field.kind === "unknown") refuseUnknown(site, field);
  else if (access !== "read") site.deny("path", `${site.command} would write into a process substitution`);
}

/** Every place that the path may mean is judged, `..` and links followed (path traversal). */
export function checkPathText(site: Site, path: string, access: Access): void {
  if (path === "/dev/null" && access !== "remove") return;
  const places = realPlaces(site.policy.files, site.folder, path);
  if (!places) {
    site.deny("path", `${showText(path)} leads through a link that goes nowhere`);
    return;
  }
  if (access !== "read") site.noteChange();
  for (const place of places) checkPlace(site, path, place, access);
  if (access !== "read") checkProtected(site, path, posix.resolve(site.folder, path), access);
}

function checkPlace(site: Site, path: string, place: string, access: Access): void {
  const roots = rootsFor(site.policy, access);
  if (!roots.some((root) => isInside(root, place))) {
    const shown = place === path ? showText(path) : `${showText(path)} (that is ${showText(place)})`;
    site.deny("path", `${site.command} would ${access} ${shown}, outside the workspace`);
    return;
  }
  if (access === "read") return;
  if (access === "remove" && roots.includes(place)) {
    site.deny("rm", `${site.command} would take away the workspace itself`);
    return;
  }
  checkProtected(site, path, place, access);
}

function checkProtected(site: Site, path: string, place: string, access: Access): void {
  for (const root of rootsFor(site.policy, access)) {
    const part = isInside(root, place) && protectedPart(posix.relative(root, place), access === "remove");
    if (!part) continue;
    site.deny("protected path", `${site.command} would ${access} ${showText(path)}; ${showText(part)} is protected`);
  }
  const { workspace } = site.policy;
  const own = isInside(workspace, place) ? ownPart(posix.relative(workspace, place)) : undefined;
  if (own) {
    const why = `${showText(own)} is for the owner and the file tools`;
    site.ask("steering files", `${site.command} would ${access} ${showText(path)}; ${why}`);
  }
}

function rootsFor({ workspace, readDirs = [], writeDirs = [] }: ShellPolicy, access: Access): readonly string[] {
  return [workspace, ...writeDirs, ...(access === "read" ? readDirs : [])];
}

export function isReadable(policy: ShellPolicy, place: string): boolean {
  return rootsFor(policy, "read").some((root) => isInside(root, place));
}

export function refuseUnknown(site: Site, field: Field): void {
  site.ask(
    "unknown value",
    `${showField(field)}, an argument of ${site.command}, is not known before the command runs`,
  );
}

/** The field's text; objects and gives undefined when it is not known. */
export function knownText(site: Site, field: Field): string | undefined {
  if (field.kind === "text") return field.text;
  refuseUnknown(site, field);
  return undefined;
}

/** Where a path of the command leads, links resolved; undefined when a link leads nowhere. */
export function realPathOf(site: Site, path: string): string | undefined {
  return resolveReal(site.policy.files, absolutePath(site.folder, path));
}

/** The site as it is after `-C folder`; the folder must be allowed for the access. */
export function siteInFolder(site: Site, field: Field, access: Access): Site {
  checkPath(site, field, access);
  const real = field.kind === "text" ? realPlaces(site.policy.files, site.folder, field.text)?.[0] : undefined;
  return real === undefined ? site : { ...site, folder: real };
}
