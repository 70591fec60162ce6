import { isNumeric, showText } from "../expand/field.ts";
import { checkPath, knownText } from "../paths/check-path.ts";
import { type CommandRule, tableRule } from "./command-rule.ts";
import { optionTable } from "./option-table.ts";

/** Whatever echo gets, it only prints. */
export const echo: CommandRule = () => {};

export const printf: CommandRule = (site, args) => {
  const [first, second] = args;
  const format = first?.kind === "text" && first.text === "--" ? second : first;
  if (!format) return;
  const text = knownText(site, format);
  if (text === undefined) return;
  if (format === first && text.startsWith("-")) {
    site.refusals.deny("re-evaluation", `printf ${showText(text)}: printf may only print, not set a variable`);
  }
  // %n stores a number in the variable that the argument names
  if (/%[^%A-Za-z(]*[hjlLtz]*n/.test(text.replaceAll("%%", ""))) {
    site.refusals.deny("re-evaluation", "printf %n sets a variable");
  }
};

/** true, false and `:` ignore what they get. */
export const ignoring: CommandRule = (site, args) => {
  for (const argument of args) knownText(site, argument);
};

export const leaveLoop: CommandRule = (site, args) => {
  for (const argument of args) {
    const count = knownText(site, argument);
    if (count !== undefined && !isNumeric(count)) site.refusals.ask("option", `${site.command} takes a number`);
  }
};

export const pwd: CommandRule = tableRule({ table: optionTable({ flag: "-L -P" }), operands: "data" });

export const date: CommandRule = tableRule({
  table: optionTable({
    flag: "--debug --resolution -R --rfc-email --rfc-822 --rfc-2822 -u --utc --universal --uct --help --version",
    data: "-d --date --rfc-3339",
    optional: "-I --iso-8601",
    read: "-r --reference",
    denied: "-s --set -f --file",
  }),
  operands(site, call) {
    for (const operand of call.operands) {
      const text = knownText(site, operand);
      if (text !== undefined && !text.startsWith("+")) {
        site.refusals.deny("option", `date ${showText(text)} would set the clock`);
      }
    }
  },
});

export const mkdir: CommandRule = tableRule({
  table: optionTable({
    flag: "-p --parents -v --verbose -Z --help --version",
    data: "-m --mode",
    optional: "--context",
  }),
  operands: "write",
});

export const touch: CommandRule = tableRule({
  table: optionTable({
    flag: "-a -c --no-create -f -h --no-dereference -m --help --version",
    data: "-d --date -t --time",
    read: "-r --reference",
  }),
  operands(site, call) {
    for (const operand of call.operands) checkPath(site, operand, "write");
  },
});
