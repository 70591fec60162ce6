import type { Command, Word } from "unbash";
import type { CommandRule } from "../commands/command-rule.ts";
import { commandRules, shellRules } from "../commands/command-rules.ts";
import { expandWord } from "../expand/expand-word.ts";
import type { Expansion } from "../expand/expansion.ts";
import { type Field, showText } from "../expand/field.ts";
import { literalName } from "../expand/literal-name.ts";
import type { Scope } from "../expand/scope.ts";
import { checkAssignment, checkEnvironment } from "./check-assignment.ts";
import { foldersAfter } from "./check-change-folder.ts";
import { checkRedirection } from "./check-redirection.ts";
import { inspectWord } from "./inspect-word.ts";
import type { Inspection } from "./inspection.ts";
import { forEachRound } from "./rounds.ts";

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
    inspection.refusals.deny("command", `the name ${showText(nameWord.text)} must be written out, without expansions`);
    return;
  }
  const words = command.args.filter((argument) => argument.type === "Word");
  if (name === "cd") {
    changeFolder(inspection, scope, words);
    return;
  }
  const rule = ruleFor(inspection, name);
  if (!rule) return;
  forEachRound(inspection, scope, (expansion) => {
    const args = expandArguments(inspection, expansion, words);
    rule({ command: name, folder: expansion.folder, policy: inspection.policy, refusals: inspection.refusals }, args);
  });
}

function expandArguments(inspection: Inspection, expansion: Expansion, words: readonly Word[]): Field[] {
  return words.flatMap((word) => {
    const fields = expandWord(expansion, word);
    if (!fields)
      inspection.refusals.deny("parse", `${showText(word.text)} becomes more words than the check will look at`);
    return fields ?? [];
  });
}

function changeFolder(inspection: Inspection, scope: Scope, words: readonly Word[]): void {
  const folders = new Set<string>();
  forEachRound(inspection, scope, (expansion) => {
    const args = expandArguments(inspection, expansion, words);
    const site = { command: "cd", folder: expansion.folder, policy: inspection.policy, refusals: inspection.refusals };
    for (const folder of foldersAfter(inspection, site, args)) folders.add(folder);
  });
  scope.folders = [...folders];
}

/** Names that run other commands or code, or change the shell: nobody should approve them by habit. */
const neverUnseen = new Set(
  `eval source . exec command builtin trap alias unalias export declare typeset local readonly let unset read mapfile
  readarray set shopt hash enable getopts coproc env xargs nohup setsid timeout nice time sudo su doas chroot sh bash dash
  zsh ksh csh tcsh fish busybox perl ruby php lua node-gyp script expect parallel ssh nc ncat socat telnet ftp wget dd
  mount umount chmod chown ln tee kill pkill killall crontab at systemctl docker podman python python2 bunx pnpx deno bun
  gawk mawk vi vim nano ed less more man`.split(/\s+/),
);

function ruleFor(inspection: Inspection, name: string): CommandRule | undefined {
  const own = shellRules.get(name);
  if (own) return own;
  const listed = inspection.policy.allowedCommands.includes(name);
  const rule = listed ? commandRules.get(name) : undefined;
  if (rule) return rule;
  if (name.includes("/")) inspection.refusals.deny("command", `${showText(name)} names a program by its path`);
  else if (neverUnseen.has(name))
    inspection.refusals.deny("command", `${showText(name)} can run anything or change the shell`);
  else if (listed) inspection.refusals.ask("command", `the check has no table of the options of ${showText(name)}`);
  else inspection.refusals.ask("command", `${showText(name)} is not on the list of commands`);
  return undefined;
}
