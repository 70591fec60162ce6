import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Settings } from "../../../contract/settings.ts";
import type { ExtraDirs } from "../../../contract/tool.ts";
import { underHome } from "../../../contract/words/home-path.ts";
import { realFileLookup } from "./file-lookup.ts";

/** The folders that the owner has opened beside the workspace, by their real paths. */
export function extraDirsOf({ readDirs, writeDirs }: Settings["sandbox"]): ExtraDirs {
  return { readDirs: readDirs.map(realFolder), writeDirs: writeDirs.map(realFolder) };
}

function realFolder(path: string): string {
  const whole = resolve(underHome(path, homedir()));
  return realFileLookup.realpath(whole) ?? whole;
}
