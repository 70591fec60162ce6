import { type Field, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, realPathOf } from "../../paths/check-path.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";
import { checkTreeFree } from "./cp-mv.ts";

export const rm: CommandRule = tableRule({
  options: {
    flag: "-r -R -f -v -i -d",
    denied: `-I --force --interactive --one-file-system --no-preserve-root --preserve-root --recursive --dir --verbose
      --help --version`,
  },
  operands(site, call) {
    for (const operand of call.operands) {
      checkPath(site, operand, "remove");
      refuseEverything(site, operand);
      checkTreeFree(site, operand);
    }
  },
});

/** `*` at the root of the workspace, in whatever spelling, is the workspace. */
function refuseEverything(site: Site, operand: Field): void {
  if (operand.kind !== "text" || operand.pattern === undefined) return;
  const slash = operand.pattern.lastIndexOf("/");
  const name = operand.pattern.slice(slash + 1).replaceAll(/\[[^\]]*\]/g, "");
  if (/[^*?.]/.test(name)) return;
  if (realPathOf(site, operand.pattern.slice(0, slash + 1)) === site.policy.workspace)
    site.deny("rm", `rm ${showText(operand.pattern)} would empty the workspace`);
}
