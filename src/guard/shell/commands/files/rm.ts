import { type Field, showText } from "../../expand/field.ts";
import { checkPath } from "../../paths/check-path.ts";
import { resolveReal } from "../../paths/real-path.ts";
import type { Site } from "../../paths/site.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";
import { optionTable } from "../option-table.ts";
import { checkTreeFree } from "./cp-mv.ts";

export const rm: CommandRule = tableRule({
  table: optionTable({
    flag: "-r -R -f -v -i -d",
    denied: `-I --force --interactive --one-file-system --no-preserve-root --preserve-root --recursive --dir --verbose
      --help --version`,
  }),
  operands(site, call) {
    for (const operand of call.operands) {
      checkPath(site, operand, "remove");
      refuseEverything(site, operand);
      checkTreeFree(site, operand);
    }
  },
});

/** `*` at the root of the workspace, in whatever disguise, is the workspace. */
function refuseEverything(site: Site, operand: Field): void {
  if (operand.kind !== "text" || operand.pattern === undefined) return;
  const slash = operand.pattern.lastIndexOf("/");
  const name = operand.pattern.slice(slash + 1).replaceAll(/\[[^\]]*\]/g, "");
  if (/[^*?.]/.test(name)) return;
  const folder = operand.pattern.slice(0, Math.max(slash, 0));
  const path = operand.pattern.startsWith("/") ? folder || "/" : `${site.folder}/${folder}`;
  if (resolveReal(site.policy.files, path) === site.policy.workspace) {
    site.refusals.deny("rm", `rm ${showText(operand.pattern)} would empty the workspace`);
  }
}
