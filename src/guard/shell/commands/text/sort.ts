import { type CommandRule, checkInputAndOutput, tableRule } from "../command-rule.ts";

export const sort: CommandRule = tableRule({
  options: {
    flag: `-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i
      --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse -V
      --version-sort -c -C --debug -m --merge -s --stable -u --unique -z --zero-terminated --help --version`,
    data: "--sort -k --key -t --field-separator -S --buffer-size",
    number: "--batch-size --parallel",
    optional: "--check",
    write: "-o --output -T --temporary-directory",
    denied: "--compress-program --files0-from --random-source",
  },
  operands: "read",
});

export const uniq: CommandRule = tableRule({
  options: {
    flag: "-c --count -d --repeated -D -i --ignore-case -u --unique -z --zero-terminated --help --version",
    number: "-f --skip-fields -s --skip-chars -w --check-chars",
    optional: "--all-repeated --group",
  },
  numbers: true,
  operands: (site, call) => checkInputAndOutput(site, call),
});
