import { posix } from "node:path";
import type { Command, Word } from "unbash";
import type { CommandRule } from "../commands/command-rule.ts";
import { commandRules, shellRules } from "../commands/command-rules.ts";
import { unknownProgram } from "../commands/runs/unknown-program.ts";
import { type Field, showText } from "../expand/field.ts";
import { literalName } from "../expand/literal-name.ts";
import type { Scope } from "../expand/scope.ts";
import type { Site } from "../objections.ts";
import { checkPathText } from "../paths/check-path.ts";
import { resolveReal } from "../paths/real-path.ts";
import { checkAssignment, checkEnvironment } from "./check-assignment.ts";
import { checkRedirection } from "./check-redirection.ts";
import { inspectWord } from "./inspect-word.ts";
import { expandWords, forEachRound, type Inspection, siteOf } from "./inspection.ts";

/** One simple command: its name, its environment, its arguments, its redirections. */
export function checkSimpleCommand(inspection: Inspection, scope: Scope, command: Command): void {
  if (command.name) inspectWord(inspection, scope, command.name);
  for (const argument of command.args) {
    if (argument.type === "Word") inspectWord(inspection, scope, argument);
    else checkAssignment(inspection, scope, argument);
  }
  for (const redirection of command.redirects) checkRedirection(inspection, scope, redirection);
  for (const item of command.prefix) {
    if (item.type !== "Assignment") continue;
    if (command.name) checkEnvironment(inspection, scope, item);
    else checkAssignment(inspection, scope, item);
  }
  if (command.name) checkCall(inspection, scope, command, command.name);
}

function checkCall(inspection: Inspection, scope: Scope, command: Command, nameWord: Word): void {
  const name = literalName(nameWord);
  inspection.seen.add(name ?? nameWord.text);
  if (name === undefined) {
    inspection.deny("command", `the name ${showText(nameWord.text)} must be written out, without expansions`);
    return;
  }
  const words = command.args.filter((argument) => argument.type === "Word");
  if (name === "cd") {
    changeFolder(inspection, scope, words);
    return;
  }
  const rule = ruleFor(inspection, name) ?? unknownProgram;
  forEachRound(inspection, scope, (expansion) => {
    rule(siteOf(inspection, name, expansion.folder), expandWords(inspection, expansion, words));
  });
}

function changeFolder(inspection: Inspection, scope: Scope, words: readonly Word[]): void {
  const folders = new Set<string>();
  forEachRound(inspection, scope, (expansion) => {
    const site = siteOf(inspection, "cd", expansion.folder);
    for (const folder of foldersAfter(site, expandWords(inspection, expansion, words))) folders.add(folder);
  });
  scope.folders = [...folders];
}

/** Where `cd` may lead; both there and here when it may fail. */
function foldersAfter(site: Site, args: readonly Field[]): readonly string[] {
  const operands = args.filter((field) => field.kind !== "text" || !/^(?:-[LPe]+|--)$/.test(field.text));
  const [target, extra] = operands;
  if (target?.kind !== "text" || extra || target.text === "" || target.text.startsWith("-")) {
    site.ask("path", "cd needs one folder of the workspace, written out");
    return [site.folder];
  }
  checkPathText(site, target.text, "read");
  const { files } = site.policy;
  const typed = posix.resolve(site.folder, target.text);
  const real = resolveReal(files, typed);
  // after a link, cd .. and the tools' own .. lead to different places
  if (real !== typed) {
    site.ask("path", `cd ${showText(target.text)} goes through a link`);
    return [site.folder];
  }
  return files.lstat(typed) === "folder" ? [typed] : [typed, site.folder];
}

/** Names that run other commands or code, or change the shell: nobody should approve them by habit. */
const neverUnseen = new Set(
  `eval source . exec command builtin trap alias unalias export declare typeset local readonly let unset read mapfile
  readarray set shopt hash enable getopts coproc env xargs nohup setsid timeout nice time sudo su doas chroot sh bash dash
  zsh ksh csh tcsh fish busybox perl ruby php lua node-gyp script expect parallel ssh nc ncat socat telnet ftp wget dd
  mount umount chown pkill killall crontab at systemctl docker podman python python2 bunx pnpx deno bun
  gawk mawk vi vim nano ed less more man`.split(/\s+/),
);

const advice = {
  asked: "Approve it when it is asked, or take it off guard.askedCommands in the settings.",
  byPath: "Use its plain name, such as node for /usr/bin/node.",
  never:
    "It cannot be allowed. Run the inner command by itself, or put the work into a script file and run that with node or python3.",
  noTable: "Approve it when it is asked. The check does not know its options, so it is asked about each time.",
};

function ruleFor(inspection: Inspection, name: string): CommandRule | undefined {
  const own = shellRules.get(name);
  if (own) return own;
  const listed = inspection.policy.allowedCommands.includes(name);
  const rule = listed ? commandRules.get(name) : undefined;
  const shown = showText(name);
  if (rule) {
    if (inspection.policy.askedCommands?.includes(name))
      inspection.ask("command", `${shown} is to be asked about each time`, advice.asked);
    return rule;
  }
  if (name.includes("/")) inspection.deny("command", `${shown} names a program by its path`, advice.byPath);
  else if (neverUnseen.has(name))
    inspection.deny("command", `${shown} can run anything or change the shell`, advice.never);
  else if (listed) inspection.ask("command", `the check has no table of the options of ${shown}`, advice.noTable);
  else if (commandRules.has(name)) inspection.ask("command", `${shown} is not on the list of commands`);
  else inspection.ask("command", `${shown} is not on the list of commands`, advice.noTable);
  return undefined;
}
