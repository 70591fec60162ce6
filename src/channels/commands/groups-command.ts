import { sandboxKinds } from "../../contract/channel/sandbox-kinds.ts";
import type { Command, CommandOption, SingleCommand } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

const groupFields = "name, title, conversation, channel, address, options";
const groupArgument = { form: "<group>", description: "its name, as listed by: steward groups" };

const options: readonly CommandOption[] = [
  { form: "--trigger <word>", description: "the word that calls Steward there; none: @ and its name" },
  { form: "--every-message", description: "answer all that is said, without being called" },
  { form: "--when-called", description: "answer only when called, as it is at first" },
  {
    form: "--mode <mode>",
    description: "what members ask for: ask you first, do harmless things at once, or nothing that changes anything",
    choices: ["ask", "auto", "deny"],
  },
  { form: "--model <name>", description: "the model that answers there; none: the usual one" },
  { form: "--hosts <list>", description: "hosts that its commands may reach, with commas between; none: no network" },
  { form: "--timeout <seconds>", description: "how long one of its commands may take" },
  {
    form: "--folders <list>",
    description: "folders of yours that its commands see, with commas between; with :rw behind one they may change it",
  },
  {
    form: "--sign-ins <list>",
    description: "hosts of sandbox.credentials for which its commands may use your sign-in",
  },
  { form: "--sandbox <kind>", description: "what its commands run in", choices: sandboxKinds },
  { form: "--image <name>", description: "the image of a container; none: the usual one" },
];

const list: SingleCommand = {
  name: "list",
  summary: "List the groups, and the chats that could become one (also without a command)",
  notes: jsonNotes(
    `groups: [{${groupFields}, folder, lastAtMs?, problems}], seen: [{channel, address, title, lastSeenMs}]`,
  ),
  options: [jsonOption],
  async run({ flags }, context) {
    const listed = await withClient(context, (client) => client.call("groups.list", {}));
    const { printGroups } = await import("./print-groups.ts");
    if (flags.has("json")) printJson(context.console, listed);
    else printGroups(context, listed);
    return 0;
  },
};

const add: SingleCommand = {
  name: "add",
  summary: "Let Steward answer in a chat, with a folder and a memory of its own",
  notes: jsonNotes(groupFields),
  arguments: [{ form: "<chat...>", description: "its number in steward groups, or the beginning of its title" }],
  options: [
    { form: "--name <name>", description: "the name of its folder; made from the title" },
    ...options,
    jsonOption,
  ],
  async run(input, context) {
    const { addGroup } = await import("./change-groups.ts");
    const { addedWords } = await import("./print-groups.ts");
    const group = await withClient(context, (client) => addGroup(client, input));
    if (input.flags.has("json")) printJson(context.console, group);
    else context.console.output.write(`${addedWords(group)}\n`);
    return 0;
  },
};

const change: SingleCommand = {
  name: "change",
  summary: "Change what holds in a group; whatever is not named stays",
  notes: jsonNotes(groupFields),
  arguments: [groupArgument],
  options: [...options, jsonOption],
  async run(input, context) {
    const { changeGroup } = await import("./change-groups.ts");
    const { ruleWords } = await import("./print-groups.ts");
    const group = await withClient(context, (client) => changeGroup(client, input));
    if (input.flags.has("json")) printJson(context.console, group);
    else context.console.output.write(`Changed: ${visibleLine(group.title, 80)} ${ruleWords(group.options)}.\n`);
    return 0;
  },
};

const remove: SingleCommand = {
  name: "remove",
  summary: "Have Steward stay silent in a group from now on; its folder stays",
  notes: jsonNotes("group, removed"),
  arguments: [groupArgument],
  options: [jsonOption],
  async run({ arguments: [wanted = ""], flags }, context) {
    const { removeGroup } = await import("./change-groups.ts");
    const group = await withClient(context, (client) => removeGroup(client, wanted));
    if (flags.has("json")) printJson(context.console, { group: group.name, removed: true });
    else
      context.console.output.write(
        `Removed: Steward says nothing in ${visibleLine(group.title, 80)} any more. What was there stays: ${visibleLine(group.folder)}\n`,
      );
    return 0;
  },
};

export const groupsCommand: Command = {
  name: "groups",
  summary: "Chats with several people in which Steward answers",
  default: "list",
  commands: [list, add, change, remove],
};
