import { posix } from "node:path";
import { gitConfigRunsPrograms } from "../../../../contract/names/git-config.ts";
import { gitFolder, isRepositoryWith } from "../../../../contract/names/protected-names.ts";
import type { Site } from "../../objections.ts";
import { isInside, resolveReal } from "../../paths/real-path.ts";

/** Where git may find a repository: from the folder upwards, because it passes over those that are not whole. */
export function gitFoldersInReach(site: Site): readonly string[] {
  const { files } = site.policy;
  return foldersUpwards(site).flatMap((folder) => {
    const at = `${folder}/${gitFolder.name}`;
    const kind = files.lstat(at);
    const pointed = kind === "folder" ? at : pointedTo(site, folder, files.read(at), /^gitdir: /);
    // an empty folder is no repository: one lies on top of the workspace for as long as a command runs
    const isNone = kind === undefined || (kind === "folder" && files.readdir(at).length === 0);
    const own = [...(isNone ? [] : [pointed ?? at]), ...(isBare(site, folder) ? [folder] : [])];
    return own.flatMap((each) => [each, ...(commonFolder(site, each) ?? [])]);
  });
}

/** A folder with HEAD, objects and refs is itself a repository, whatever it is called. */
export function bareInReach(site: Site): string | undefined {
  return foldersUpwards(site).find((folder) => isBare(site, folder));
}

/** Whether a look at the repository runs nothing: no setting names a program, no hook waits for a look. */
export function runsNoPrograms(site: Site): boolean {
  return gitFoldersInReach(site).every((folder) => isPlainRepository(site, folder));
}

function isPlainRepository({ policy }: Site, folder: string): boolean {
  const { files, workspace } = policy;
  if (!isInside(workspace, folder) || files.lstat(folder) !== "folder") return false;
  const names = files.readdir(folder);
  if (names.some((name) => name.startsWith("sharedindex."))) return false;
  if (files.lstat(`${folder}/hooks/post-index-change`) !== undefined) return false;
  if (names.includes("index") && holdsOtherRepositories(files.read(`${folder}/index`))) return false;
  const settings = ["config", "config.worktree"].filter((name) => names.includes(name));
  return settings.every((name) => {
    const text = files.read(`${folder}/${name}`);
    return text !== undefined && gitConfigRunsPrograms(text).length === 0;
  });
}

/** git looks into a repository that is listed in the index, with the settings of that one; mode 160000 marks it. */
function holdsOtherRepositories(index: string | undefined): boolean {
  return index === undefined || index.includes("\0\0\xe0\0");
}

function commonFolder(site: Site, folder: string): readonly string[] | undefined {
  const text = site.policy.files.read(`${folder}/commondir`);
  if (text === undefined) return undefined;
  return [pointedTo(site, folder, text, /^/) ?? "/"];
}

/** undefined: it points nowhere that is known. */
function pointedTo(site: Site, folder: string, text: string | undefined, start: RegExp): string | undefined {
  if (text === undefined || !start.test(text)) return undefined;
  return resolveReal(site.policy.files, posix.resolve(folder, text.replace(start, "").replace(/[\r\n]+$/, "")));
}

function isBare({ policy }: Site, folder: string): boolean {
  return isRepositoryWith((name) => policy.files.lstat(`${folder}/${name}`) !== undefined);
}

function foldersUpwards({ folder, policy }: Site): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; isInside(policy.workspace, at); at = posix.dirname(at)) folders.push(at);
  return folders;
}
