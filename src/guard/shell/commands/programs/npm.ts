import { type Field, showText, textField } from "../../expand/field.ts";
import { checkPath, knownText } from "../../paths/check-path.ts";
import type { Site } from "../../paths/site.ts";
import type { CommandRule } from "../command-rule.ts";
import { optionTable } from "../option-table.ts";

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
  const call = readCall(site, args);
  const [typed, ...operands] = call.operands;
  if (typed === undefined) {
    const asksVersion = call.options.some(({ name }) => name === "--version" || name === "-v");
    if (!asksVersion) site.refusals.ask("option", "npm alone does nothing useful");
    return;
  }
  const name = aliases[typed] ?? typed;
  const check = subcommands.get(name);
  if (check) check(call, operands);
  else site.refusals.deny("code as argument", `npm ${showText(typed)} is not among the npm commands that are allowed`);
};

const subcommands: ReadonlyMap<string, (call: NpmCall, operands: readonly string[]) => void> = new Map([
  // what follows the script's name goes to the script
  ["test", () => {}],
  ["run", () => {}],
  ["list", checkNames],
  ["outdated", checkNames],
  ["view", checkNames],
  ["ci", checkInstall],
  ["install", checkInstall],
]);

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
    call.site.refusals.deny("option", `npm ${showText(name)} is not among the options that are allowed`);
    return;
  }
  if (kind === "flag") {
    readFlag(call, name, equals < 0 ? undefined : text.slice(equals + 1), waiting[0]);
    return;
  }
  const value = equals < 0 ? waiting.shift() : textField(text.slice(equals + 1));
  // npm would take it for the next option
  if (value?.kind === "text" && value.text.startsWith("-"))
    call.site.refusals.deny("option", `npm ${name} lacks its value`);
  if (!value) {
    call.site.refusals.ask("option", `npm ${name} lacks its value`);
    return;
  }
  if (kind === "read") checkPath(call.site, value, "read");
  call.options.push({ name, value: knownText(call.site, value) });
}

/** A flag can be switched off by `=false` and even by `false` as the next argument. */
function readFlag(call: NpmCall, name: string, value: string | undefined, next: Field | undefined): void {
  const following = next?.kind === "text" && /^(?:true|false|null|undefined)$/.test(next.text);
  const sensitive = name === "--ignore-scripts";
  if (following || (sensitive && value !== undefined && value !== "true") || !/^(?:true|false)?$/.test(value ?? "")) {
    call.site.refusals.deny("option", `npm ${name} must be a plain switch`);
  }
  call.options.push({ name, value });
}

const packageName = /^(?:@[a-z0-9~][\w.~-]*\/)?[A-Za-z0-9~][\w.~-]*$/;

/** A name from the registry, perhaps with a version; no address, path, file or repository. */
export function isRegistryName(text: string): boolean {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? "latest" : text.slice(at + 1);
  return packageName.test(name) && /^[\w.^~<>=*+-]+$/.test(version) && !/\.(?:tgz|tar|tar\.gz)$/i.test(text);
}

function checkNames(call: NpmCall, operands: readonly string[]): void {
  const [name, ...fields] = operands;
  if (name !== undefined && name !== "." && !isRegistryName(name)) {
    call.site.refusals.deny("code as argument", `npm may only look at packages of the registry, not ${showText(name)}`);
  }
  for (const field of fields) {
    if (!/^[\w.@[\]/*^~<>=-]+$/.test(field))
      call.site.refusals.ask("option", `npm: ${showText(field)} is not understood`);
  }
}

function checkInstall(call: NpmCall, operands: readonly string[]): void {
  if (!call.options.some(({ name }) => name === "--ignore-scripts")) {
    call.site.refusals.deny("code as argument", "npm may only install with --ignore-scripts");
  }
  for (const operand of operands) {
    if (!isRegistryName(operand)) {
      call.site.refusals.deny("code as argument", `npm may only install from the registry, not ${showText(operand)}`);
    }
  }
}
