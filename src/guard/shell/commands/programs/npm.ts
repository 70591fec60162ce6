import { posix } from "node:path";
import { type Field, showText, textField } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, knownText } from "../../paths/check-path.ts";
import type { CommandRule } from "../command-rule.ts";
import { optionTable } from "../parse-arguments.ts";
import { noteNamed } from "../runs/name-files.ts";
import { notePackageProgram, noteScripts } from "../runs/package-scripts.ts";

/** npm shortens options too, so only these, spelled out, are let through. */
const table = optionTable({
  flag: `--silent -s --quiet -q --verbose -d -dd -ddd --ignore-scripts --if-present --workspaces -ws
    --include-workspace-root -iwr --json --long -l --all -a --parseable -p --production --no-audit --audit --no-fund --fund
    --no-save --save -S --save-dev -D --save-exact -E --save-prod -P --save-optional -O --save-peer -B --prefer-offline
    --prefer-online --offline --no-progress --progress --force -f --legacy-peer-deps --no-legacy-peer-deps
    --strict-peer-deps --no-package-lock --package-lock-only --package-lock --dry-run --no-color --color --no-optional
    --foreground-scripts --engine-strict --no-bin-links --no-update-notifier --version -v --help -h --timing --no-workspaces
    --install-links --no-install-links`,
  data: "--omit --include --only --loglevel --depth --tag --install-strategy --before",
  read: "--workspace -w",
});

const aliases: Readonly<Record<string, string>> = {
  t: "test",
  tst: "test",
  i: "install",
  "run-script": "run",
  ls: "list",
};

type NpmCall = { options: { name: string; value: string | undefined }[]; operands: string[]; site: Site };

export const npm: CommandRule = (site, args) => {
  site.noteActing();
  noteNamed(site, args);
  const call = readCall(site, args);
  const [typed, ...operands] = call.operands;
  if (typed === undefined) {
    const asksVersion = call.options.some(({ name }) => name === "--version" || name === "-v");
    if (!asksVersion) site.ask("option", "npm alone does nothing useful");
    return;
  }
  const name = aliases[typed] ?? typed;
  const check = subcommands.get(name);
  if (check) check(call, operands);
  else site.deny("code as argument", `npm ${showText(typed)} is not among the npm commands that are allowed`);
};

const subcommands: ReadonlyMap<string, (call: NpmCall, operands: readonly string[]) => void> = new Map([
  // what follows the script's name goes to the script
  ["test", (call) => call.site.later(() => noteRunOf(call, "test"))],
  ["run", (call, [script]) => call.site.later(() => noteRunOf(call, script))],
  ["list", checkNames],
  ["outdated", checkNames],
  ["view", checkNames],
  ["ci", checkInstall],
  ["install", checkInstall],
]);

function noteRunOf({ site, options }: NpmCall, script: string | undefined): void {
  if (script === undefined) return;
  noteScripts(site, script);
  const chosen = options.filter(({ name }) => name === "--workspace" || name === "-w");
  for (const { value = "" } of chosen) noteScripts({ ...site, folder: posix.resolve(site.folder, value) }, script);
  // a workspace can also be meant by its name, and all of them by one word
  if (options.some(({ name }) => /^(?:-ws|-w|--workspaces?)$/.test(name))) site.noteUnnamed();
}

/** Arguments after `--` belong to the script and are plain text. */
function readCall(site: Site, args: readonly Field[]): NpmCall {
  const call: NpmCall = { options: [], operands: [], site };
  const waiting = [...args];
  for (let field = waiting.shift(); field; field = waiting.shift()) {
    const text = knownText(site, field);
    if (text === undefined) continue;
    if (text === "--") {
      for (const argument of waiting.splice(0)) call.operands.push(knownText(site, argument) ?? "");
    } else if (text.startsWith("-") && text !== "-") readOption(call, text, waiting);
    else call.operands.push(text);
  }
  return call;
}

function readOption(call: NpmCall, text: string, waiting: Field[]): void {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const kind = table.get(name);
  if (!kind) {
    call.site.deny("option", `npm ${showText(name)} is not among the options that are allowed`);
    return;
  }
  if (kind === "flag") {
    readFlag(call, name, equals < 0 ? undefined : text.slice(equals + 1), waiting[0]);
    return;
  }
  const value = equals < 0 ? waiting.shift() : textField(text.slice(equals + 1));
  // npm would take it for the next option
  if (value?.kind === "text" && value.text.startsWith("-")) call.site.deny("option", `npm ${name} lacks its value`);
  if (!value) {
    call.site.ask("option", `npm ${name} lacks its value`);
    return;
  }
  if (kind === "read") checkPath(call.site, value, "read");
  call.options.push({ name, value: knownText(call.site, value) });
}

/** A flag can be switched off by `=false` and even by `false` as the next argument. */
function readFlag(call: NpmCall, name: string, value: string | undefined, next: Field | undefined): void {
  const following = next?.kind === "text" && /^(?:true|false|null|undefined)$/.test(next.text);
  const sensitive = name === "--ignore-scripts";
  if (following || (sensitive && value !== undefined && value !== "true") || !/^(?:true|false)?$/.test(value ?? ""))
    call.site.deny("option", `npm ${name} must be a plain switch`);
  call.options.push({ name, value });
}

const packageName = /^(?:@[a-z0-9~][\w.~-]*\/)?[A-Za-z0-9~][\w.~-]*$/;

/** A name from the registry, perhaps with a version; no address, path, file or repository. */
function isRegistryName(text: string): boolean {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? "latest" : text.slice(at + 1);
  return packageName.test(name) && /^[\w.^~<>=*+-]+$/.test(version) && !/\.(?:tgz|tar|tar\.gz)$/i.test(text);
}

function checkNames(call: NpmCall, operands: readonly string[]): void {
  const [name, ...fields] = operands;
  if (name !== undefined && name !== "." && !isRegistryName(name))
    call.site.deny("code as argument", `npm may only look at packages of the registry, not ${showText(name)}`);
  for (const field of fields) {
    if (!/^[\w.@[\]/*^~<>=-]+$/.test(field)) call.site.ask("option", `npm: ${showText(field)} is not understood`);
  }
}

function checkInstall(call: NpmCall, operands: readonly string[]): void {
  if (!call.options.some(({ name }) => name === "--ignore-scripts"))
    call.site.deny("code as argument", "npm may only install with --ignore-scripts", "Add --ignore-scripts.");
  for (const operand of operands) {
    if (!isRegistryName(operand))
      call.site.deny("code as argument", `npm may only install from the registry, not ${showText(operand)}`);
  }
}

/** Packages whose commands run code given as an argument. */
const interpreters =
  /^(?:node|tsx|ts-node|ts-node-esm|babel-node|esno|esr|jiti|vite-node|zx|deno|bun|sh|bash|zsh|dash|fish|env|xargs|npm|npx|pnpm|yarn|pnpx|dlx|cross-env|cross-env-shell|dotenv|shx|execa|nodemon|concurrently|npm-run-all|run-s|run-p|python3?|perl|ruby)$/;

/** npx may run what is already installed; what follows the command's name belongs to the command. */
export const npx: CommandRule = (site, args) => {
  site.noteActing();
  noteNamed(site, args);
  const texts = args.map((field) => knownText(site, field));
  if (texts[0] !== "--no-install" && texts[0] !== "--no")
    return site.deny("code as argument", "npx needs --no-install or --no first, so that it fetches nothing");
  let at = 1;
  while (/^(?:--no-install|--no|--quiet|-q|--silent|-s)$/.test(texts[at] ?? "")) at++;
  if (texts[at] === "--") at++;
  const name = texts[at];
  if (name === undefined || !isRegistryName(name))
    return site.deny("code as argument", `npx ${showText(name ?? "")} does not name an installed command`);
  site.later(() => notePackageProgram(site, name.replace(/(?<=.)@[^/]*$/, "")));
  if (interpreters.test(name.replace(/@[^/]*$/, ""))) {
    site.deny("code as argument", `npx ${name} runs code given as an argument`);
  }
};
