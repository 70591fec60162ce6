// Where the database and everything beside it lies. The rest of the program knows one place, data/ in the Steward folder; a folder
// elsewhere is reached through a link in that place.
import { lstat, mkdir, readdir, readlink, realpath, rmdir, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { Failure, orIfMissing, reasonOf } from "../contract/failure.ts";
import { underHome } from "../contract/words/home-path.ts";

export type DataFolderDeps = {
  home: string;
  /** The setting data.path. */
  path: string | null;
  workspace: string;
};

/** Makes the folder on the first start. What lies there already is never moved: that is for the owner to do. */
export async function prepareDataFolder({ home, path, workspace }: DataFolderDeps): Promise<void> {
  const place = join(home, "data");
  const found = await lstat(place).catch(orIfMissing(undefined));
  // a disk that is not there must not be taken for a first start, whose data it would hide when it comes back
  if (found?.isSymbolicLink() && (await realpath(place).catch(orIfMissing(undefined))) === undefined)
    throw new Failure(`${place} leads to ${await readlink(place)}, which is not there. Is the disk there?`);
  if (path === null) return void (await mkdir(place, { recursive: true, mode: 0o700 }));
  const wanted = underHome(path, homedir());
  if (!isAbsolute(wanted)) throw refusal(path, "it must be a whole path, such as /var/lib/steward");
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw refusal(path, `it cannot be made (${reasonOf(cause)})`);
  }
  const target = await realpath(wanted);
  const itsWorkspace = await realpath(workspace).catch(orIfMissing(resolve(workspace)));
  if (contains(itsWorkspace, target) || contains(target, itsWorkspace))
    throw refusal(path, "the agent works there, and it must not reach its own records");
  if (found?.isSymbolicLink()) {
    const now = await realpath(place);
    if (now === target) return;
    throw refusal(path, `${place} leads to ${now}. Move what lies there and remove that link`);
  }
  if (found && (await realpath(place)) === target) return;
  if (found) await removeEmpty(path, place, wanted);
  await symlink(target, place);
}

async function removeEmpty(path: string, place: string, wanted: string): Promise<void> {
  if ((await readdir(place)).length > 0)
    throw refusal(path, `there are data in ${place} already. Move everything in it to ${wanted}, and start again`);
  await rmdir(place);
}

function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === "" || (inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside));
}

function refusal(path: string, why: string): Failure {
  return new Failure(`The folder ${path} of the setting data.path cannot be used: ${why}.`);
}
