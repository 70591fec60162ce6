import { Failure } from "../../contract/failure.ts";
import type { Command, CommandContext, CommandInput, SingleCommand } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import type { ShownChannel } from "../../contract/wire/methods/channels.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

type ChannelWord = ShownChannel["name"];

const channelWords: readonly ChannelWord[] = ["telegram", "slack", "discord", "email", "ntfy"];
const channelArgument = { form: "<channel>", description: "which one", choices: channelWords };
const channelFields =
  "name, title, receives, groups, state, detail, lastProofMs?, secrets: [{name, found}], people: [{id, name, from}], waiting";

const list: SingleCommand = {
  name: "list",
  summary: "List the channels and how each of them stands (also without a command)",
  notes: jsonNotes(`channels: [{${channelFields}}], codes`),
  options: [jsonOption],
  async run({ flags }, context) {
    const listed = await withClient(context, (client) => client.call("channels.list", {}));
    const { printChannels } = await import("./print-channels.ts");
    if (flags.has("json")) printJson(context.console, listed);
    else printChannels(context, { ...listed, isRunning: await isRunning(context) });
    return 0;
  },
};

const pair: SingleCommand = {
  name: "pair",
  summary: "Make a code: whoever writes it to the bot within an hour may talk there as you",
  notes: jsonNotes("code, channel, expiresAtMs; with --forget: forgotten"),
  arguments: [{ form: "[channel]", description: "good only there; any of them if left out", choices: channelWords }],
  options: [{ form: "--forget", description: "instead: forget every code that nobody has used" }, jsonOption],
  async run(input, context) {
    if (input.flags.has("forget")) return forgetCodes(input, context);
    const channel = readChannel(input.arguments[0]) ?? null;
    const { made, channels } = await withClient(context, async (client) => ({
      made: await client.call("channels.pair", { channel }),
      ...(await client.call("channels.list", {})),
    }));
    const { pairingWords } = await import("./print-channels.ts");
    if (input.flags.has("json")) printJson(context.console, made);
    else {
      const place = { channels, isRunning: await isRunning(context), nowMs: context.world.nowMs() };
      context.console.output.write(pairingWords(made, place));
    }
    return 0;
  },
};

async function forgetCodes({ flags }: CommandInput, context: CommandContext): Promise<number> {
  await withClient(context, (client) => client.call("channels.unpair_codes", {}));
  if (flags.has("json")) printJson(context.console, { forgotten: true });
  else context.console.output.write("Forgotten: no code lets anybody in any more.\n");
  return 0;
}

const people: SingleCommand = {
  name: "people",
  summary: "List who may talk to Steward as you, and where",
  notes: jsonNotes("people: [{channel, id, name, from: settings or paired}]"),
  arguments: [{ form: "[channel]", description: "only there", choices: channelWords }],
  options: [jsonOption],
  async run({ arguments: [word], flags }, context) {
    const wanted = readChannel(word);
    const { channels } = await withClient(context, (client) => client.call("channels.list", {}));
    const found = channels
      .filter(({ name }) => wanted === undefined || name === wanted)
      .flatMap((channel) => channel.people.map((person) => ({ channel: channel.name, ...person })));
    const { printPeople } = await import("./print-channels.ts");
    if (flags.has("json")) printJson(context.console, { people: found });
    else printPeople(context, found);
    return 0;
  },
};

const remove: SingleCommand = {
  name: "remove",
  summary: "Stop letting somebody talk there as you",
  notes: jsonNotes("channel, person, removed"),
  arguments: [channelArgument, { form: "<id>", description: "as listed by: steward channels people" }],
  options: [jsonOption],
  async run({ arguments: [word, person = ""], flags }, context) {
    const channel = mustBeChannel(word);
    await withClient(context, (client) => client.call("channels.remove_person", { channel, person }));
    if (flags.has("json")) printJson(context.console, { channel, person, removed: true });
    else
      context.console.output.write(
        `Removed: ${visibleLine(person)} is a stranger on ${channel} now. What went on in their chat is stopped.\n`,
      );
    return 0;
  },
};

const test: SingleCommand = {
  name: "test",
  summary: "Send a line to your own chat there, and say whether the platform has it",
  notes: jsonNotes("ok, detail"),
  arguments: [channelArgument],
  options: [jsonOption],
  async run({ arguments: [word], flags }, context) {
    const channel = mustBeChannel(word);
    const outcome = await withClient(context, (client) => client.call("channels.test", { channel }));
    if (flags.has("json")) printJson(context.console, outcome);
    else context.console.output.write(`${visibleLine(outcome.detail, 1000)}\n`);
    return outcome.ok ? 0 : 1;
  },
};

const setToken: SingleCommand = {
  name: "set-token",
  summary: "Keep a token that a channel needs: it is read from the input, and not shown",
  description:
    "Keep a token that a channel needs, such as TELEGRAM_BOT_TOKEN. In a terminal it is asked for and not shown; otherwise the input is read: steward channels set-token TELEGRAM_BOT_TOKEN < token.txt",
  notes: jsonNotes("name, kept"),
  arguments: [{ form: "<name>", description: "as steward channels names it" }],
  options: [jsonOption],
  async run({ arguments: [name = ""], flags }, context) {
    const { readHidden } = await import("./read-hidden.ts");
    const value = await readHidden(context.console, `${name}: `);
    await withClient(context, (client) => client.call("channels.set_secret", { name, value }));
    if (flags.has("json")) printJson(context.console, { name, kept: true });
    else {
      const when = (await isRunning(context)) ? "It is in force after: steward config apply" : nextStartWords;
      context.console.output.write(`Kept: ${visibleLine(name)}. ${when}\n`);
    }
    return 0;
  },
};

const reconnect: SingleCommand = {
  name: "reconnect",
  summary: "Drop the connection and make a new one",
  notes: jsonNotes("channel, reconnecting"),
  arguments: [channelArgument],
  options: [jsonOption],
  async run({ arguments: [word], flags }, context) {
    const channel = mustBeChannel(word);
    await withClient(context, (client) => client.call("channels.reconnect", { channel }));
    if (flags.has("json")) printJson(context.console, { channel, reconnecting: true });
    else context.console.output.write(`Reconnecting. How it stands: steward channels\n`);
    return 0;
  },
};

export const channelsCommand: Command = {
  name: "channels",
  summary: "Where people write to Steward besides the page and the terminal, and who may",
  default: "list",
  commands: [list, pair, people, remove, test, setToken, reconnect],
};

const nextStartWords = "No Steward is running: the next start uses it.";

async function isRunning(context: CommandContext): Promise<boolean> {
  const running = await context.findRunning();
  await running?.close();
  return running !== undefined;
}

function readChannel(word: string | undefined): ChannelWord | undefined {
  return word === undefined ? undefined : mustBeChannel(word);
}

function mustBeChannel(word: string | undefined): ChannelWord {
  const found = channelWords.find((name) => name === word?.toLowerCase());
  if (found) return found;
  throw new Failure(`There is no channel “${visibleLine(word ?? "", 40)}”. There are: ${channelWords.join(", ")}.`);
}
