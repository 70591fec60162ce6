import { posix } from "node:path";
import { type Field, showField, showText } from "../expand/field.ts";
import type { Site, Use } from "../objections.ts";
import type { ShellPolicy } from "../policy.ts";
import { ownPart, protectedPart, secretPart } from "./protected-paths.ts";
import { absolutePath, isInside, pathBelow, realPlaces, resolveReal } from "./real-path.ts";
import { protectedTwin } from "./twin-names.ts";

export type Access = Exclude<Use, "run">;

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
    refuseOutside(site, path, access);
    return;
  }
  for (const place of places) checkPlace(site, path, place, access);
  // a link is judged by its own name too
  if (places[0] === absolutePath(site.folder, path)) return;
  const typed = posix.resolve(site.folder, path);
  if (!places.includes(typed)) checkNames(site, path, typed, access);
}

const adviceFor: Readonly<Record<Access, string>> = {
  read: "Use a path inside the workspace, or add the folder to sandbox.readDirs in the settings.",
  write: "Use a path inside the workspace, or add the folder to sandbox.writeDirs in the settings.",
  remove: "Name files or folders of the workspace.",
};

function checkPlace(site: Site, path: string, place: string, access: Access): void {
  site.noteUse(place, access);
  const roots = rootsFor(site.policy, access);
  if (!roots.some((root) => isInside(root, place))) {
    refuseOutside(site, path, access);
    return;
  }
  if (access === "remove" && roots.includes(place)) {
    site.deny("rm", `${site.command} would take away the workspace itself`);
    return;
  }
  checkNames(site, path, place, access);
  checkTwin(site, path, place, access);
}

/** Says nothing that only the disk outside knows: a group must not learn what is there (existence oracle). */
function refuseOutside(site: Site, path: string, access: Access): void {
  const typed = posix.resolve(site.folder, path);
  const seemsInside = rootsFor(site.policy, access).some((root) => isInside(root, typed));
  const where = seemsInside ? "which leads out of the workspace, or nowhere" : "outside the workspace";
  site.deny("path", `${site.command} would ${access} ${showText(path)}, ${where}`, adviceFor[access]);
}

function checkNames(site: Site, path: string, place: string, access: Access): void {
  const root = rootsFor(site.policy, access).find((each) => isInside(each, place));
  if (root === undefined) return;
  const inside = pathBelow(root, place);
  const secret = secretPart(inside);
  if (secret)
    site.deny("secrets", `${site.command} would ${access} ${showText(path)}; ${showText(secret)} holds secrets`);
  if (access === "read") return;
  const part = protectedPart(inside, access === "remove");
  if (part)
    site.deny("protected path", `${site.command} would ${access} ${showText(path)}; ${showText(part)} is protected`);
  const own = root === site.policy.workspace ? ownPart(inside) : undefined;
  if (own) {
    const why = `${showText(own)} is for the owner and the file tools`;
    site.ask("steering files", `${site.command} would ${access} ${showText(path)}; ${why}`);
  }
}

function checkTwin(site: Site, path: string, place: string, access: Access): void {
  const { files, workspace, hasMounts } = site.policy;
  const twin = protectedTwin(files, workspace, place, hasMounts && access !== "read");
  const meant = twin.kind === "found" ? `${showText(path)} is another name of ${showText(twin.path)}` : "";
  if (twin.kind === "found" && secretPart(twin.path)) site.deny("secrets", `${meant}, which holds secrets`);
  else if (twin.kind === "found" && access !== "read") site.ask("protected path", `${meant}, which is protected`);
  if (twin.kind === "unknown" && access !== "read")
    site.ask("protected path", `${showText(path)} has other names, and there are too many files to look for them`);
}

function rootsFor({ workspace, readDirs = [], writeDirs = [] }: ShellPolicy, access: Access): readonly string[] {
  return [workspace, ...writeDirs, ...(access === "read" ? readDirs : [])];
}

export function isReadable(policy: ShellPolicy, place: string): boolean {
  return belowRoot(policy, place) !== undefined;
}

/** The path from the workspace, or another folder that may be read, to the place. */
export function belowRoot(policy: ShellPolicy, place: string): string | undefined {
  const root = rootsFor(policy, "read").find((each) => isInside(each, place));
  return root === undefined ? undefined : pathBelow(root, place);
}

export function refuseUnknown(site: Site, field: Field): void {
  site.noteUnnamed();
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
