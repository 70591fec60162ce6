import { posix } from "node:path";
import { certainText, type Field, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { type Access, checkPathText, knownText, siteInFolder } from "../../paths/check-path.ts";
import { type CommandRule, checkOptionValue } from "../command-rule.ts";
import { type Call, parseArguments } from "../parse-arguments.ts";
import { noteNamed } from "../runs/name-files.ts";
import { gitOptions } from "./git-options.ts";
import { bareInReach, gitFoldersInReach, runsNoPrograms } from "./git-repository.ts";

const globalFlags =
  /^(?:--no-pager|-P|-p|--paginate|--no-optional-locks|--literal-pathspecs|--glob-pathspecs|--noglob-pathspecs|--icase-pathspecs|--no-replace-objects|--no-lazy-fetch|--no-advice)$/;

export const git: CommandRule = (site, args) => {
  const waiting = [...args];
  let here = site;
  for (let field = waiting.shift(); field; field = waiting.shift()) {
    const text = knownText(site, field);
    if (text === undefined) return;
    if (text === "--version" || text === "-v") return;
    if (text === "-C") {
      const folder = waiting.shift();
      if (folder) here = siteInFolder(here, folder, "read");
    } else if (!text.startsWith("-")) return checkSubcommand(here, text, waiting);
    else if (!globalFlags.test(text)) {
      if (text.startsWith("-C")) checkPathText(site, text.slice(2), "read");
      return site.deny("option", `git ${showText(text)} before the subcommand is not allowed`);
    }
  }
  site.ask("option", "git needs a subcommand");
};

/** Nothing but these only looks, and they too only where no setting in reach names a program. */
const looks = new Set("status log diff show blame ls-files rev-parse grep".split(" "));

function noteWhatRuns(site: Site, subcommand: string): void {
  if (looks.has(subcommand) && runsNoPrograms(site)) return;
  site.noteActing();
  for (const folder of gitFoldersInReach(site))
    for (const name of ["config", "config.worktree", "commondir", "hooks"])
      site.noteUse(posix.join(folder, name), "run");
}

function checkSubcommand(site: Site, name: string, args: readonly Field[]): void {
  const table = gitOptions.get(name);
  if (!table) {
    site.later(() => noteWhatRuns(site, name));
    noteNamed(site, args);
    const advice = "Approve it when it is asked: what git sends, or fetches from elsewhere, is asked about each time.";
    site.ask("option", `git ${showText(name)} is not among the git commands that are allowed`, advice);
    return;
  }
  const bare = bareInReach(site);
  if (bare) site.deny("path", `git would stand inside a repository's own files, in ${showText(bare)}`);
  site.later(() => noteWhatRuns(site, name));
  const here = { ...site, command: `git ${name}` };
  const call = parseArguments(here, { table, negations: name !== "config", numbers: true }, args);
  for (const option of call.options) {
    checkOptionValue(here, option.kind, option.value);
    const value = certainText(option.value) ?? "";
    if (option.kind !== "message" && /^--./.test(value))
      here.ask("option", `git may take ${showText(value)} for an option of its own`);
    if (option.name === "--pathspec-from-file" && value === "-")
      here.ask("unknown value", `git ${name} would read the names of files from its input`);
  }
  const checkOperands = operandChecks.get(name);
  if (checkOperands) checkOperands(here, call);
  // most operands can be a revision or a file; read as a path, a revision lies in the workspace
  else checkPathspecs(here, call.operands, "read");
}

type OperandCheck = (site: Site, call: Call) => void;

const operandChecks: ReadonlyMap<string, OperandCheck> = new Map(
  Object.entries<OperandCheck>({
    branch: checkNames,
    tag: checkNames,
    switch: checkNames,
    merge(site, call) {
      checkNames(site, call);
      checkStrategy(site, call);
    },
    fetch: checkRemote,
    pull: checkPull,
    config: checkConfig,
    grep: checkGrep,
    log: checkLog,
    stash: checkStash,
    init: (site, call) => checkPathspecs(site, call.operands, "write"),
    checkout: (site, call) => checkPathspecs(site, call.operands, "write"),
    restore(site, call) {
      const onlyIndex = call.has("-S", "--staged") && !call.has("-W", "--worktree");
      checkPathspecs(site, call.operands, onlyIndex ? "read" : "write");
    },
    mv(site, call) {
      checkPathspecs(site, call.operands.slice(0, -1), "remove");
      checkPathspecs(site, call.operands.slice(-1), "write");
    },
    rm: (site, call) =>
      checkPathspecs(site, call.operands, call.has("--cached", "-n", "--dry-run") ? "read" : "remove"),
  }),
);

function checkPathspecs(site: Site, operands: readonly Field[], access: Access): void {
  for (const operand of operands) {
    if (operand.kind === "stream") site.ask("path", `${site.command} does not read process substitutions`);
    const text = operand.kind === "stream" ? undefined : knownText(site, operand);
    if (text === undefined) continue;
    const magic = /^:(?:\(([^)]*)\)|[/!^]+)/.exec(text);
    // `:/` and `:(top)` count from the repository's top folder, `:!` leaves out
    // `revision:path`, and `:path` for the index
    if (!magic && text.includes(":")) checkPathText(site, text.slice(text.lastIndexOf(":") + 1) || ".", "read");
    checkPathText(site, magic ? text.slice(magic[0].length).replace(/^\/+/, "") || "." : text, access);
  }
}

function checkNames(site: Site, call: Call): void {
  for (const operand of call.operands) knownText(site, operand);
}

/** Any other strategy is a program that git looks for. */
function checkStrategy(site: Site, call: Call): void {
  for (const option of call.options) {
    if (option.name !== "-s" && option.name !== "--strategy") continue;
    if (!/^(?:ort|recursive|resolve|octopus|ours|subtree)$/.test(certainText(option.value) ?? ""))
      site.deny("code as argument", "git merge -s would run a program of that name");
  }
}

function checkPull(site: Site, call: Call): void {
  checkStrategy(site, call);
  for (const option of call.options) {
    const isRebase = option.name === "--rebase" || option.name === "-r";
    if (isRebase && !/^(?:true|false|merges|)$/.test(certainText(option.value) ?? ""))
      site.ask("option", "git pull --rebase may not be interactive");
  }
  checkRemote(site, call);
}

/** The remote must be one that is configured: an address could name a program or another machine. */
function checkRemote(site: Site, call: Call): void {
  const texts = call.operands.map((operand) => knownText(site, operand) ?? "");
  const many = call.has("--multiple", "-m");
  for (const [at, text] of texts.entries()) {
    const isRemote = at === 0 || many;
    const allowed = isRemote ? /^[\w][\w.-]*$/ : /^\+?[\w^@][\w./*^@{}~-]*(?::[\w./*-]*)?$/;
    if (!allowed.test(text)) site.deny("code as argument", `${site.command} ${showText(text)} is not a remote's name`);
    if (isRemote) checkPathText(site, text, "read");
  }
}

function checkConfig(site: Site, call: Call): void {
  if (!call.has("--get", "--get-all", "--get-regexp", "-l", "--list"))
    site.deny("option", "git config may only read, with --get or --list");
  checkNames(site, call);
}

function checkGrep(site: Site, call: Call): void {
  const files = call.has("-e", "-f") ? call.operands : call.operands.slice(1);
  if (call.operands[0] && files.length < call.operands.length) knownText(site, call.operands[0]);
  checkPathspecs(site, files, "read");
}

function checkLog(site: Site, call: Call): void {
  for (const option of call.options) {
    const file = /:([^:]*)$/.exec(certainText(option.value) ?? "")?.[1];
    if (option.name === "-L" && file) checkPathText(site, file, "read");
  }
  checkPathspecs(site, call.operands, "read");
}

const stashActions = /^(?:push|save|list|show|pop|apply|drop|clear|branch|create|store)$/;

function checkStash(site: Site, call: Call): void {
  const [action, ...rest] = call.operands;
  if (!action) return;
  if ((call.operandsBeforeDashes ?? 1) > 0 && (action.kind !== "text" || !stashActions.test(action.text)))
    site.ask("option", "git stash takes one of its own commands first");
  const pushes = action.kind === "text" && (action.text === "push" || call.operandsBeforeDashes === 0);
  checkPathspecs(site, call.operandsBeforeDashes === 0 ? call.operands : rest, pushes ? "write" : "read");
}
