// Groups are made, changed and removed; a chat or a group is named by what a person has before their eyes.
import { z } from "zod";
import { type Group, GroupName, GroupOptions } from "../../contract/channel/group.ts";
import { Failure } from "../../contract/failure.ts";
import { nearestName } from "../../contract/names/nearest-name.ts";
import type { CommandInput } from "../../contract/room/command.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import type { SeenChat } from "../../contract/wire/methods/channels.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

type ListedGroup = MethodResult<"groups.list">["groups"][number];

export async function addGroup(client: GatewayClient, input: CommandInput): Promise<Group> {
  const { channel, address, title } = pickChat((await client.call("groups.list", {})).seen, input.arguments.join(" "));
  const name = input.values.name === undefined ? undefined : read(GroupName, input.values.name);
  const options = readOptions(GroupOptions.parse({}), input);
  return client.call("groups.register", { channel, address, title, options, ...(name !== undefined && { name }) });
}

export async function changeGroup(client: GatewayClient, input: CommandInput): Promise<Group> {
  const group = pickGroup((await client.call("groups.list", {})).groups, input.arguments[0] ?? "");
  const options = readOptions(group.options, input);
  if (JSON.stringify(options) === JSON.stringify(group.options))
    throw new Failure("Nothing would be different. What can be changed: steward groups change --help");
  return client.call("groups.change", { group: group.name, options });
}

export async function removeGroup(client: GatewayClient, wanted: string): Promise<ListedGroup> {
  const group = pickGroup((await client.call("groups.list", {})).groups, wanted);
  await client.call("groups.remove", { group: group.name });
  return group;
}

/** By its number in the list, by its title, or by a beginning of it that no other has. */
function pickChat<Chat extends Pick<SeenChat, "title">>(seen: readonly Chat[], wanted: string): Chat {
  const word = wanted.trim().toLowerCase();
  const numbered = /^\d{1,4}$/.test(word) ? seen[Number(word) - 1] : undefined;
  const exact = seen.filter(({ title }) => title.toLowerCase() === word);
  const begun = seen.filter(({ title }) => title.toLowerCase().startsWith(word));
  const found = exact.length > 0 ? exact : numbered ? [numbered] : begun;
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only) throw new Failure(`Several chats are called so. Give the number instead:\n${numbersOf(seen, found)}`);
  const hint =
    seen.length === 0
      ? "Steward has seen no chat of several people yet: add its bot to one and write something there."
      : `There are:\n${numbersOf(seen, seen)}`;
  throw new Failure(`No chat is called “${visibleLine(wanted, 60)}”. ${hint}`);
}

function numbersOf<Chat extends Pick<SeenChat, "title">>(all: readonly Chat[], some: readonly Chat[]): string {
  return some.map((chat) => `  ${all.indexOf(chat) + 1}  ${visibleLine(chat.title, 60)}`).join("\n");
}

function pickGroup(groups: readonly ListedGroup[], wanted: string): ListedGroup {
  const word = wanted.trim().toLowerCase();
  const found = groups.find(({ name }) => name === word) ?? groups.find(({ title }) => title.toLowerCase() === word);
  if (found) return found;
  const names = groups.map(({ name }) => name);
  const meant = nearestName(wanted, names);
  throw new Failure(
    `There is no group “${visibleLine(wanted, 60)}”. ${meant === undefined ? "" : `Did you mean “${meant}”? `}List them: steward groups`,
  );
}

/** What was written on the command line, over what holds already. */
function readOptions(before: GroupOptions, { flags, values }: Pick<CommandInput, "flags" | "values">): GroupOptions {
  if (flags.has("every-message") && flags.has("when-called"))
    throw new Failure("--every-message and --when-called say the opposite: leave one of them out.");
  const { sandbox } = before;
  return read(GroupOptions, {
    ...before,
    ...(values.trigger !== undefined && { trigger: orNone(values.trigger) }),
    ...(flags.has("every-message") && { needsTrigger: false }),
    ...(flags.has("when-called") && { needsTrigger: true }),
    ...(values.mode !== undefined && { mode: values.mode }),
    ...(values.model !== undefined && { model: orNone(values.model) }),
    sandbox: {
      ...sandbox,
      ...(values.hosts !== undefined && { allowedHosts: readList(values.hosts) }),
      ...(values.timeout !== undefined && { timeoutSeconds: Number(values.timeout) }),
      ...(values.folders !== undefined && { additionalMounts: readFolders(values.folders, sandbox.additionalMounts) }),
      ...(values["sign-ins"] !== undefined && { credentials: readList(values["sign-ins"]) }),
      ...(values.sandbox !== undefined && { kind: values.sandbox }),
      ...(values.image !== undefined && { image: orNone(values.image) ?? "" }),
    },
  });
}

type Mounts = GroupOptions["sandbox"]["additionalMounts"];

/** A folder that the group has already keeps the place at which its commands find it. */
function readFolders(text: string, before: Mounts): Mounts {
  return readList(text).map((word) => {
    const hostPath = word.replace(/:(rw|ro)$/, "");
    if (!/^~?\//.test(hostPath))
      throw new Failure(`Write the whole path of each folder, beginning with / or ~/, not “${visibleLine(word, 60)}”.`);
    return { ...before.find((mount) => mount.hostPath === hostPath), hostPath, readonly: !word.endsWith(":rw") };
  });
}

function readList(text: string): string[] {
  if (text.trim() === "none") return [];
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function orNone(word: string): string | null {
  return word === "none" ? null : word;
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Failure(z.prettifyError(parsed.error));
}
