import { type CommandRule, checkInput, tableRule } from "../command-rule.ts";
import { optionTable } from "../option-table.ts";

export const grep: CommandRule = tableRule({
  table: optionTable({
    flag: `-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -i -y --ignore-case
      --no-ignore-case -w --word-regexp -x --line-regexp -z --null-data -s --no-messages -v --invert-match -V --version
      --help -b --byte-offset -n --line-number --line-buffered -H --with-filename -h --no-filename -o --only-matching -q
      --quiet --silent -a --text -I -r --recursive -L --files-without-match -l --files-with-matches -c --count -T
      --initial-tab -Z --null --no-group-separator -U --binary -u --unix-byte-offsets`,
    data: `-e --regexp --label --binary-files -d --directories -D --devices --include --exclude --exclude-dir
      --group-separator`,
    number: "-m --max-count -B --before-context -A --after-context -C --context",
    read: "-f --file --exclude-from",
    optional: "--color --colour",
    denied: "-R --dereference-recursive",
  }),
  numbers: true,
  operands(site, call) {
    const patternGiven = call.has("-e", "--regexp", "-f", "--file");
    for (const file of patternGiven ? call.operands : call.operands.slice(1)) checkInput(site, file);
  },
  check(site, call) {
    for (const operand of call.operands) {
      if (operand.kind === "stream" && operand === call.operands[0] && !call.has("-e", "-f", "--regexp", "--file")) {
        site.refusals.ask("option", "grep takes a process substitution as its pattern");
      }
    }
  },
});
