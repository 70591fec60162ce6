import type { CommandRule } from "../command-rule.ts";
import { noteNamed, noteRun } from "./name-files.ts";
import { noteObeyed } from "./script-places.ts";

/** A program whose options nobody has told the check: it may run and read whatever its arguments name. */
export const unknownProgram: CommandRule = (site, args) => {
  site.noteActing();
  if (site.command.includes("/")) noteRun(site, site.command);
  noteNamed(site, args);
  noteObeyed(site, site.command);
};
