// Groups and the chats that could become one, in a person's words.
import type { Group, GroupOptions } from "../../contract/channel/group.ts";
import type { CommandContext } from "../../contract/room/command.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import { alignColumns } from "../../contract/words/align-columns.ts";
import { formatAgo } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

export function printGroups(
  { console: { output }, world }: Pick<CommandContext, "console" | "world">,
  { groups, seen }: MethodResult<"groups.list">,
): void {
  const nowMs = world.nowMs();
  const rows = groups.map(({ name, title, channel, options, lastAtMs }) => [
    name,
    visibleLine(title, 40),
    channel,
    lastAtMs === undefined ? "" : formatAgo(lastAtMs, nowMs),
    ruleWords(options),
  ]);
  const problems = groups.flatMap((group) => group.problems.map((why) => `${group.name}: ${visibleLine(why)}`));
  const chats = seen.map(({ title, channel, lastSeenMs }, index) => [
    String(index + 1),
    visibleLine(title, 40),
    channel,
    formatAgo(lastSeenMs, nowMs),
  ]);
  const lines = [
    ...(rows.length > 0
      ? alignColumns([["name", "title", "channel", "last", ""], ...rows])
      : ["There is no group yet."]),
    ...(problems.length > 0 ? ["", ...problems] : []),
    ...(chats.length > 0
      ? ["", "Steward is in these chats and says nothing there. Make one a group: steward groups add <number>"]
      : []),
    ...alignColumns(chats, [0]),
    ...(rows.length === 0 && chats.length === 0
      ? ["Add Steward's bot to a chat of several people and write something there; then it is listed here."]
      : []),
  ];
  output.write(`${lines.join("\n")}\n`);
}

export function addedWords({ name, title, options }: Group): string {
  return `Added: ${visibleLine(title, 80)} is the group ${name}. There Steward ${ruleWords(options)}.`;
}

/** "answers when called, and asks you first" */
export function ruleWords({ trigger, needsTrigger, mode }: GroupOptions): string {
  const word = trigger === null ? "" : ` (${visibleLine(trigger, 60)})`;
  const when = needsTrigger ? `answers when called${word}` : "answers every message";
  return `${when}, ${modeWords[mode]}`;
}

const modeWords = {
  ask: "and asks you before it changes anything",
  auto: "and changes things in its own folder without asking",
  deny: "and changes nothing",
} satisfies Record<GroupOptions["mode"], string>;
