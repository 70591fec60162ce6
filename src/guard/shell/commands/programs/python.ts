import { certainText, type Field, showText, textField } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, checkPathText, knownText } from "../../paths/check-path.ts";
import { type CommandRule, checkInputAndOutput, tableRule } from "../command-rule.ts";
import { noteNamed, noteRun } from "../runs/name-files.ts";
import { modulePlaces, noteObeyed } from "../runs/script-places.ts";

export const python3: CommandRule = (site, args) => {
  site.noteActing();
  noteNamed(site, args);
  const waiting = [...args];
  let informed = false;
  for (let field = waiting.shift(); field; field = waiting.shift()) {
    const text = knownText(site, field);
    if (text === undefined) return;
    if (text === "-" || !text.startsWith("-")) return runScript(site, field, waiting);
    const module = /^-[BEIsSuvObqd]*m(.*)$/.exec(text);
    if (module) return runModule(site, module[1] ? textField(module[1]) : waiting.shift(), waiting);
    if (/^(?:--version|--help|-V+|-h)$/.test(text)) informed = true;
    else if (!readFlags(site, text, waiting)) return;
  }
  if (!informed) site.deny("code as argument", "python3 without a script runs what it reads");
};

/** False when an option is not allowed. */
function readFlags(site: Site, text: string, waiting: Field[]): boolean {
  if (/^-[BEIsSuvObqd]+$/.test(text)) return true;
  const withValue = /^-[BEIsSuvObqd]*([WX])(.*)$/.exec(text);
  const next = withValue && (withValue[2] ? textField(withValue[2]) : waiting.shift());
  const value = next ? knownText(site, next) : undefined;
  const allowed =
    withValue?.[1] === "W" ? /^[a-z]+(?:::[A-Za-z]*)?$/ : /^(?:dev|utf8|utf8=[01]|importtime|faulthandler)$/;
  if (value !== undefined && allowed.test(value)) return true;
  site.deny("code as argument", `python3 ${showText(text)} is not among the options that are allowed`);
  return false;
}

function runScript(site: Site, script: Field, rest: readonly Field[]): void {
  if (script.kind === "text" && script.text === "-") site.deny("code as argument", "python3 - runs what it reads");
  checkPath(site, script, "read");
  // a folder is run by the file of this name in it
  site.later(() => {
    if (script.kind === "text") for (const place of ["", "/__main__.py"]) noteRun(site, script.text + place);
  });
  if (script.kind === "stream") site.deny("code as argument", "python3 would run what a command prints");
  for (const argument of rest) knownText(site, argument);
}

function runModule(site: Site, module: Field | undefined, args: readonly Field[]): void {
  const name = module && knownText(site, module);
  const rule = name === undefined ? undefined : modules.get(name);
  site.later(() => {
    for (const place of modulePlaces(name ?? "")) noteRun(site, place);
    noteObeyed(site, name ?? "");
  });
  if (rule) rule({ ...site, command: `python3 -m ${name}` }, args);
  else site.deny("code as argument", `python3 -m ${showText(name ?? "")} is not among the modules that are allowed`);
}

const jsonTool: CommandRule = tableRule({
  options: {
    flag: "-h --help --sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact",
    number: "--indent",
  },
  operands: (site, call) => checkInputAndOutput(site, call, "json.tool"),
});

const unittest: CommandRule = tableRule({
  options: {
    flag: "-h --help -v --verbose -q --quiet --locals -f --failfast -c --catch -b --buffer",
    data: "-k -p --pattern",
    number: "--durations",
    read: "-s --start-directory -t --top-level-directory",
  },
  operands: "read",
});

const pytest: CommandRule = tableRule({
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

const pyCompile: CommandRule = tableRule({
  options: { flag: "-q --quiet -h --help" },
  operands(site, call) {
    for (const file of call.operands) {
      checkPath(site, file, "write");
      if (file.kind === "text" && file.text === "-") site.ask("option", "py_compile - reads names from its input");
    }
  },
});

const modules: ReadonlyMap<string, CommandRule> = new Map([
  ["json.tool", jsonTool],
  ["unittest", unittest],
  ["pytest", pytest],
  ["py_compile", pyCompile],
]);
