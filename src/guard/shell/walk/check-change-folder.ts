import { posix } from "node:path";
import { type Field, showText } from "../expand/field.ts";
import { checkPathText } from "../paths/check-path.ts";
import { resolveReal } from "../paths/real-path.ts";
import type { Site } from "../paths/site.ts";
import type { Inspection } from "./inspection.ts";

/** Where `cd` may lead; both there and here when it may fail. */
export function foldersAfter(inspection: Inspection, site: Site, args: readonly Field[]): readonly string[] {
  const operands = args.filter((field) => field.kind !== "text" || !/^(?:-[LPe]+|--)$/.test(field.text));
  const [target, extra] = operands;
  if (target?.kind !== "text" || extra || target.text === "" || target.text.startsWith("-")) {
    inspection.refusals.ask("path", "cd needs one folder of the workspace, written out");
    return [site.folder];
  }
  checkPathText(site, target.text, "read");
  const { files } = inspection.policy;
  const typed = posix.resolve(site.folder, target.text);
  const real = resolveReal(files, typed);
  // after a link, cd .. and the tools' own .. lead to different places
  if (real !== typed) {
    inspection.refusals.ask("path", `cd ${showText(target.text)} goes through a link`);
    return [site.folder];
  }
  return files.lstat(typed) === "folder" ? [typed] : [typed, site.folder];
}
