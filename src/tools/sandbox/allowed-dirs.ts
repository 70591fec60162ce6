// The folders that the owner has opened beside the workspace, without those that nobody may open to an assistant.

import { whyAway } from "../../contract/channel/given-folder.ts";
import type { Group } from "../../contract/channel/group.ts";
import type { ExtraDirs } from "../../contract/tool.ts";
import { checkMount, contains, type MountPlaces } from "./mount-rules.ts";

export type AllowedDirs = {
  /** By their real paths. */
  extraDirs: ExtraDirs;
  /** Why a folder is left out, one sentence each. */
  refusals: readonly string[];
};

/** The same rules as for commands: file tools reach no further than these. */
export function allowedDirs(places: MountPlaces, workspace: string, wanted: ExtraDirs): AllowedDirs {
  const refusals: string[] = [];
  const allowed = (setting: keyof ExtraDirs) =>
    wanted[setting].flatMap((path) => {
      const checked = checkMount(places, path);
      const problem =
        checked.kind === "denied"
          ? checked.reason
          : contains(workspace, checked.path) || contains(checked.path, workspace)
            ? `${path} overlaps the workspace.`
            : undefined;
      if (problem === undefined && checked.kind === "allowed") return [checked.path];
      refusals.push(`sandbox.${setting} is not all in force: ${problem}`);
      return [];
    });
  return { extraDirs: { readDirs: allowed("readDirs"), writeDirs: allowed("writeDirs") }, refusals };
}

/** What a group's file tools may open of the folders that it was given: what its commands are shown, and nothing that is away. */
export function givenDirs(places: MountPlaces, workspace: string, { options }: Group): ExtraDirs {
  const given = options.sandbox.additionalMounts.filter(
    (folder) => whyAway((path) => checkMount(places, path), folder) === undefined,
  );
  const paths = (readonly: boolean) =>
    given.filter((folder) => folder.readonly === readonly).map(({ hostPath }) => hostPath);
  return allowedDirs(places, workspace, { readDirs: paths(true), writeDirs: paths(false) }).extraDirs;
}
