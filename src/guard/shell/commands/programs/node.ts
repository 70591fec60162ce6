import { type Field, showText, textField } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, checkPathText, knownText } from "../../paths/check-path.ts";
import { type CommandRule, checkOptionValue } from "../command-rule.ts";
import { type OptionKind, optionTable } from "../parse-arguments.ts";
import { noteNamed, noteRun } from "../runs/name-files.ts";
import { scriptPlaces } from "../runs/script-places.ts";

/** Options that change how a script runs, not which; node does not take abbreviations. */
const table = optionTable({
  flag: `--test -c --check --version -v --help -h --enable-source-maps --no-warnings --trace-warnings --trace-uncaught
    --trace-deprecation --no-deprecation --throw-deprecation --pending-deprecation --preserve-symlinks
    --experimental-strip-types --no-experimental-strip-types --experimental-transform-types --experimental-vm-modules
    --experimental-test-coverage --experimental-test-module-mocks --experimental-sqlite --test-only --test-force-exit
    --test-update-snapshots --expose-gc --no-experimental-require-module --experimental-require-module --trace-exit
    --force-color --no-addons --use-strict`,
  data: `--test-reporter --test-name-pattern --test-skip-pattern --unhandled-rejections --disable-warning --test-isolation
    --test-coverage-include --test-coverage-exclude --dns-result-order`,
  number: `--max-old-space-size --stack-trace-limit --stack-size --max-semi-space-size --test-concurrency --test-timeout
    --test-coverage-lines --test-coverage-branches --test-coverage-functions --max-http-header-size`,
  write: "--test-reporter-destination",
});
const reporters = new Set(["spec", "tap", "dot", "junit", "lcov"]);

export const node: CommandRule = (site, args) => {
  site.noteActing();
  const waiting = [...args];
  const names: string[] = [];
  for (let field = waiting[0]; field && isOption(field); field = waiting[0]) {
    waiting.shift();
    const text = knownText(site, field);
    if (text === undefined || text === "--") break;
    names.push(readOption(site, text, waiting));
  }
  noteNamed(site, waiting);
  if (names.includes("--test")) return checkTestFiles(site, waiting);
  const [script, ...rest] = waiting;
  for (const argument of rest) knownText(site, argument);
  if (script) return checkScript(site, script);
  if (names.length === 0 || !names.every((name) => /^(?:--version|-v|--help|-h)$/.test(name)))
    site.deny("code as argument", "node without a script runs what it reads");
};

function isOption(field: Field): boolean {
  return field.kind === "unknown" || (field.kind === "text" && field.text.startsWith("-"));
}

function readOption(site: Site, text: string, waiting: Field[]): string {
  const equals = text.indexOf("=");
  // node takes an underscore for a dash
  const name = (equals < 0 ? text : text.slice(0, equals)).replaceAll("_", "-");
  const kind = table.get(name);
  if (!kind || (kind === "flag" && equals >= 0)) {
    site.deny("code as argument", `node ${showText(text)} is not among the options that are allowed`);
    return name;
  }
  if (kind !== "flag")
    checkValue(site, name, kind, equals < 0 ? valueAfter(site, name, kind, waiting) : text.slice(equals + 1));
  return name;
}

/** The engine's own options take a value only after `=`; what follows them would be read as the next option. */
function valueAfter(site: Site, name: string, kind: OptionKind, waiting: Field[]): string {
  const next = kind === "number" ? undefined : waiting.shift();
  const value = next && knownText(site, next);
  if (value !== undefined && !value.startsWith("-")) return value;
  site.deny("option", `node ${name} needs its value after =`);
  return "";
}

function checkValue(site: Site, name: string, kind: OptionKind, value: string): void {
  if (name === "--test-reporter" && !reporters.has(value))
    site.deny("code as argument", "a test reporter of one's own is code");
  const isStream = kind === "write" && /^std(?:out|err)$/.test(value);
  if (!isStream) checkOptionValue(site, kind, textField(value));
}

function checkTestFiles(site: Site, files: readonly Field[]): void {
  for (const file of files) {
    checkPath(site, file, "read");
    if (isOption(file)) site.ask("option", "options of node --test stand before the files");
  }
}

/** node also finds a script by adding an extension, or inside a folder. */
function checkScript(site: Site, script: Field): void {
  const text = knownText(site, script);
  if (text === undefined) return;
  if (text === "-" || text === "inspect" || text === "debug" || /^[a-z]+:/.test(text)) {
    site.deny("code as argument", `node ${showText(text)} does not run a script file`);
    return;
  }
  const places = scriptPlaces(site, text);
  for (const place of places) checkPathText(site, place, "read");
  site.later(() => {
    for (const place of places) noteRun(site, place);
  });
}
