// The channels, those who may talk there and a new code, in a person's words.
import type { CommandContext } from "../../contract/room/command.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import type { PairingCode, ShownChannel } from "../../contract/wire/methods/channels.ts";
import { alignColumns } from "../../contract/words/align-columns.ts";
import { count, formatAgo, formatDuration } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

type Printing = Pick<CommandContext, "console" | "world">;

export function printChannels(context: Printing, { channels, codes }: MethodResult<"channels.list">): void {
  const nowMs = context.world.nowMs();
  const rows = channels.map((channel) => [
    channel.name,
    channel.state,
    channel.lastProofMs === undefined ? "" : formatAgo(channel.lastProofMs, nowMs),
    channel.people.length === 0 ? "" : count(channel.people.length, "person", "people"),
    visibleLine(detailWords(channel), 400),
  ]);
  const waiting = channels.filter((channel) => channel.waiting > 0);
  const notes = [
    ...waiting.map(({ title, waiting: many }) => `${title}: ${count(many, "message")} not delivered yet.`),
    ...(codes > 0 ? [`${count(codes, "pairing code")} not used yet. Forget them: steward channels pair --forget`] : []),
    ...(channels.every(({ state }) => state === "off") ? [howToBegin] : []),
  ];
  print(context, [...alignColumns([["channel", "state", "answered", "", ""], ...rows]), ...notes]);
}

const howToBegin =
  "None is on. For Telegram: steward channels set-token TELEGRAM_BOT_TOKEN, then steward config set channels.telegram.enabled true";

function detailWords({ state, detail, secrets }: ShownChannel): string {
  const missing = secrets.filter(({ found }) => !found).map(({ name }) => name);
  if (detail !== "" || state === "off" || missing.length === 0) return detail;
  return `needs ${missing.join(" and ")}: steward channels set-token ${missing[0]}`;
}

/** The code on a line of its own, to be read out or copied. */
export function pairingWords({ code, channel, expiresAtMs }: PairingCode, nowMs: number): string {
  const where = channel === null ? "any of your bots" : `your bot on ${channel}`;
  const left = formatDuration(Math.max(0, expiresAtMs - nowMs));
  return `${code}\n\nWrite this to ${where} within ${left}. Whoever does may talk there as you: keep it to yourself.\n`;
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
