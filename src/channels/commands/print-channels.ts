// The channels, those who may talk there and a new code, in a person's words.
import type { CommandContext } from "../../contract/room/command.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import type { PairingCode, ShownChannel } from "../../contract/wire/methods/channels.ts";
import { alignColumns } from "../../contract/words/align-columns.ts";
import { count, formatAgo, formatDuration } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

type Printing = Pick<CommandContext, "console" | "world">;

type Listed = MethodResult<"channels.list"> & { isRunning: boolean };

export function printChannels(context: Printing, { channels, codes, isRunning }: Listed): void {
  const nowMs = context.world.nowMs();
  const rows = channels.map((channel) => [
    channel.name,
    stateWord(channel),
    channel.lastProofMs === undefined ? "" : formatAgo(channel.lastProofMs, nowMs),
    channel.people.length === 0 ? "" : count(channel.people.length, "person", "people"),
    visibleLine(detailWords(channel), 400),
  ]);
  const waiting = channels.filter((channel) => channel.waiting > 0);
  const notes = [
    ...waiting.map(({ title, waiting: many }) => `${title}: ${count(many, "message")} not delivered yet.`),
    ...(codes > 0
      ? [
          `${count(codes, "pairing code")} not used yet. Forget ${codes === 1 ? "it" : "them"}: steward channels pair --forget`,
        ]
      : []),
    ...standingNotes(channels, isRunning),
  ];
  print(context, [...alignColumns([["channel", "state", "answered", "", ""], ...rows]), ...notes]);
}

/** What holds for all of them, and is said once. */
function standingNotes(channels: readonly ShownChannel[], isRunning: boolean): readonly string[] {
  if (channels.every(({ state }) => state === "off")) return [`No channel is on. ${howToBegin}`];
  return isRunning ? [] : [nothingRuns];
}

const howToBegin =
  "For Telegram: steward channels set-token TELEGRAM_BOT_TOKEN, then steward config set channels.telegram.enabled true, then steward config apply";
const nothingRuns = "No Steward is running, so nothing is connected. Start one with: steward daemon";

function stateWord({ state }: ShownChannel): string {
  return state === "stopped" ? "not running" : state;
}

function detailWords({ state, detail, secrets }: ShownChannel): string {
  const missing = secrets.filter(({ found }) => !found).map(({ name }) => name);
  if (state === "stopped") return "";
  if (state === "off" || missing.length === 0) return detail;
  return `needs ${missing.join(" and ")}: steward channels set-token ${missing[0]}`;
}

/** The code on a line of its own, to be read out or copied. */
export function pairingWords(
  { code, channel, expiresAtMs }: PairingCode,
  { channels, isRunning, nowMs }: { channels: readonly ShownChannel[]; isRunning: boolean; nowMs: number },
): string {
  const good = channels.filter((each) => takesCodes(each) && (channel === null || each.name === channel));
  const on = good.filter(({ state }) => state !== "off");
  const places = new Intl.ListFormat("en", { type: "disjunction" }).format(
    (on.length > 0 ? on : good).map(({ title }) => title),
  );
  const left = formatDuration(Math.max(0, expiresAtMs - nowMs));
  const off =
    channel === null
      ? `No channel is on where a code could be written. ${howToBegin}`
      : `${places} is off. Switch it on first: steward config set channels.${channel}.enabled true, then steward config apply`;
  return [
    code,
    "",
    `Write this to your bot on ${places} within ${left}. Whoever does may talk there as you: keep it to yourself.`,
    ...(on.length === 0 ? [off] : isRunning ? [] : [nothingRuns]),
    "",
  ].join("\n");
}

/** Anybody can write any name into a mail, so nobody is let in there by a code. */
function takesCodes({ receives, name }: ShownChannel): boolean {
  return receives && name !== "email";
}

type Somebody = { channel: string } & ShownChannel["people"][number];

export function printPeople(context: Printing, people: readonly Somebody[]): void {
  const rows = people.map(({ channel, id, name, from }) => [
    channel,
    visibleLine(id, 80),
    visibleLine(name, 60),
    from === "settings" ? "named in the settings" : "let in by a code",
  ]);
  const nobody = ["Nobody yet. Let yourself in: steward channels pair"];
  print(context, rows.length === 0 ? nobody : alignColumns([["channel", "id", "name", ""], ...rows]));
}

function print({ console: { output } }: Printing, lines: readonly string[]): void {
  output.write(`${lines.join("\n")}\n`);
}
