import { type Field, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { knownText } from "../../paths/check-path.ts";
import { type CommandRule, checkInput, tableRule } from "../command-rule.ts";
import { objectionToAwkProgram } from "./awk-program.ts";

const untouchable = /^(?:ARGV|ARGC|ENVIRON|SYMTAB|FUNCTAB)$/;

export const awk: CommandRule = tableRule({
  options: {
    flag: `-P --posix -r --re-interval -c --traditional -b --characters-as-bytes -N --use-lc-numeric -n
      --non-decimal-data -S --sandbox -V --version`,
    data: "-F --field-separator -v --assign",
    denied: `-f --file -i --include -l --load -E --exec -e --source -d --dump-variables -D --debug -o --pretty-print -p
      --profile -W -L --lint -M --bignum -C --copyright -g --gen-pot -h --help -s --no-optimize -t --lint-old -O
      --optimize -I --trace`,
  },
  optionsFirst: true,
  operands(site, call) {
    for (const option of call.options)
      if (option.name === "-v" || option.name === "--assign") checkAssignment(site, option.value);
    const [program, ...operands] = call.operands;
    const text = program && knownText(site, program);
    const objection = text === undefined ? undefined : objectionToAwkProgram(text);
    if (objection) site.deny("code as argument", `awk: ${objection}`);
    for (const operand of operands) {
      if (operand.kind === "text" && /^[A-Za-z_]\w*=/.test(operand.text)) checkAssignment(site, operand);
      else checkInput(site, operand);
    }
  },
});

function checkAssignment(site: Site, field: Field | undefined): void {
  const text = field && knownText(site, field);
  if (text === undefined) return;
  const name = /^([A-Za-z_]\w*)=/.exec(text)?.[1];
  if (!name || untouchable.test(name))
    site.deny("code as argument", `awk: ${showText(text)} does not set a variable of the program`);
}
