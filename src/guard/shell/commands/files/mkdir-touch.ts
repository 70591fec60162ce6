import { type CommandRule, tableRule } from "../command-rule.ts";

export const mkdir: CommandRule = tableRule({
  options: { flag: "-p --parents -v --verbose -Z --help --version", data: "-m --mode", optional: "--context" },
  operands: "write",
});

export const touch: CommandRule = tableRule({
  options: {
    flag: "-a -c --no-create -f -h --no-dereference -m --help --version",
    data: "-d --date -t --time",
    read: "-r --reference",
  },
  operands: "write",
});
