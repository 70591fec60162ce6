import { showText } from "../../expand/field.ts";
import { knownText } from "../../paths/check-path.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";

export const date: CommandRule = tableRule({
  options: {
    flag: "--debug --resolution -R --rfc-email --rfc-822 --rfc-2822 -u --utc --universal --uct --help --version",
    data: "-d --date --rfc-3339",
    optional: "-I --iso-8601",
    read: "-r --reference",
    denied: "-s --set -f --file",
  },
  operands(site, call) {
    for (const operand of call.operands) {
      const text = knownText(site, operand);
      if (text !== undefined && !text.startsWith("+"))
        site.deny("option", `date ${showText(text)} would set the clock`);
    }
  },
});
