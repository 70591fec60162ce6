import { certainText } from "../../expand/field.ts";
import { checkPathText, knownText } from "../../paths/check-path.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";

export const pytest: CommandRule = tableRule({
  options: {
    flag: `-v --verbose -q --quiet -x --exitfirst -s -l --showlocals --lf --last-failed --ff --failed-first --nf
      --new-first --sw --stepwise --stepwise-skip --co --collect-only --no-header --no-summary --disable-warnings
      --disable-pytest-warnings --strict-markers --strict-config --strict --no-cov --no-showlocals --full-trace
      --setup-show --setup-only --setup-plan --fixtures --markers --version -V -h --help --cache-clear --continue-on-collection-errors
      --doctest-modules --runxfail --keep-duplicates --noconftest --cov-append --cov-branch --xfail-tb --fixtures-per-test
      --force-short-summary`,
    data: `-k -m --tb --color --capture --show-capture --deselect --import-mode -W --pythonwarnings --durations-min
      --last-failed-no-failures --lfnf --verbosity --log-level --log-cli-level --code-highlight -r --dist --cov-fail-under
      --ignore-glob --cov-report`,
    number: "--maxfail --durations -n --numprocesses --timeout --count",
    read: "--rootdir --ignore --confcutdir",
    write: "--junitxml --junit-xml --log-file",
    optional: "--cov",
    denied: "-p -c --config-file -o --override-ini --basetemp --pdb --pdbcls --trace --pyargs --cov-config --debug",
  },
  exactNames: true,
  check(site, call) {
    for (const option of call.options) {
      const file = /^[a-z-]+:(.*)$/s.exec(certainText(option.value) ?? "")?.[1];
      if (option.name === "--cov-report" && file) checkPathText(site, file, "write");
    }
  },
  operands(site, call) {
    for (const operand of call.operands) {
      const text = knownText(site, operand);
      if (text !== undefined) checkPathText(site, text.replace(/::.*$/s, ""), "read");
    }
  },
});
