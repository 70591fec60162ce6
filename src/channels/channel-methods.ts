// What clients ask of channels, people and groups.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { conversationAt } from "../contract/channel/address.ts";
import type { ChannelName } from "../contract/channel/channel.ts";
import { whyAway } from "../contract/channel/given-folder.ts";
import {
  type Group,
  GroupName,
  type GroupOptions,
  mailGroupPrefix,
  removedGroupName,
} from "../contract/channel/group.ts";
import { installationKey, type NewEvent } from "../contract/event.ts";
import { reasonOf } from "../contract/failure.ts";
import type { Sender } from "../contract/sender.ts";
import { CallRefused } from "../contract/wire/client.ts";
import type { channelMethods } from "../contract/wire/methods/channels.ts";
import type { Served } from "../contract/wire/methods/define-methods.ts";
import { visibleLine } from "../contract/words/visible-line.ts";
import { type ChannelStandingDeps, notOpenWords, showChannel } from "./channel-standing.ts";
import type { ChannelsDeps } from "./channels-deps.ts";
import { settleFolders } from "./groups/settle-folders.ts";
import type { Sightings } from "./groups/sightings.ts";
import type { Pairing } from "./intake/pairing.ts";
import { findOwnersChat, listPeople } from "./intake/people.ts";
import { formOfSecret } from "./secret-words.ts";
import { stopWork } from "./stop-work.ts";

export type ChannelMethodDeps = ChannelsDeps &
  ChannelStandingDeps & {
    pairing: Pairing;
    sightings: Sightings;
  };

const testMs = 20_000;

export function serveChannels(deps: ChannelMethodDeps): Served<typeof channelMethods> {
  return {
    async "channels.list"() {
      const waiting = await deps.ledger.undelivered();
      const channels = await Promise.all(deps.definitions.map((definition) => showChannel(deps, definition, waiting)));
      return { channels, codes: await deps.pairing.open() };
    },
    async "channels.pair"(_caller, { channel }) {
      if (!deps.settings.channels.pairing)
        throw new CallRefused("conflict", "Codes are switched off by channels.pairing in the settings.");
      if (channel) requireTalk(deps, channel);
      return { ...(await deps.pairing.create(channel)), channel };
    },
    async "channels.unpair_codes"() {
      await deps.pairing.forget();
      return { ok: true };
    },
    async "channels.remove_person"({ sender: by }, { channel, person }) {
      const people = await listPeople(deps, channel);
      const found = people.find(({ id }) => id === person);
      if (!found) throw new CallRefused("not_found", `Nobody with the id ${person} may talk on ${channel}.`);
      if (found.from === "settings")
        throw new CallRefused(
          "conflict",
          `${person} stands in channels.${channel}.allowedUserIds of the settings. Take it out there.`,
        );
      const isTheirs = async (conversation: string) => {
        const chat = await deps.ledger.chat(conversation);
        return chat?.isDirect === true && chat.channel === channel && chat.person === person;
      };
      const stopped = await stopWork(deps, by, isTheirs);
      await append(deps, { type: "person.removed", conversation: installationKey, channel, person, by });
      // what came in at that very moment
      await stopWork(deps, by, isTheirs, stopped);
      return { ok: true };
    },
    "channels.test": (_caller, { channel }) => tryOut(deps, channel),
    async "channels.set_secret"(_caller, { name, value }) {
      const known = deps.definitions.flatMap((definition) => definition.secrets(deps.settings));
      if (![...known, ...optionalSecrets].includes(name))
        throw new CallRefused(
          "invalid",
          `No channel asks for ${name}. There are: ${[...new Set([...known, ...optionalSecrets])].join(", ")}.`,
        );
      // what goes before would make it useless, and nobody would see why
      const before = deps.environment[name]?.trim() ?? "";
      if (before !== "" && before !== value.trim())
        throw new CallRefused(
          "conflict",
          `${name} stands in the environment or in the .env of the workspace, which goes before. Change it there, or take it out there first.`,
        );
      const form = formOfSecret(name);
      if (form && !form.pattern.test(value.trim()))
        throw new CallRefused("invalid", `That does not look like ${name}, which ${form.words}. Copy it again, whole.`);
      await deps.secrets.keep(name, value.trim());
      return { ok: true };
    },
    async "channels.reconnect"(_caller, { channel }) {
      const open = deps.channels.get(channel);
      if (!open) throw new CallRefused("conflict", notOpenWords(deps, channel));
      await open.channel.reconnect();
      return { ok: true };
    },
    async "groups.list"() {
      const groups = await deps.ledger.groups();
      const isGroup = (channel: string, chat: string) =>
        groups.some((group) => group.channel === channel && group.address.chat === chat);
      const seen = (await deps.sightings.list()).filter(({ channel, address }) => !isGroup(channel, address.chat));
      const problemsOf = ({ options }: Group) =>
        options.sandbox.additionalMounts.flatMap((given) => whyAway(deps.checkFolder, given) ?? []);
      const shown = groups.map((group) => ({ ...group, folder: `groups/${group.name}`, problems: problemsOf(group) }));
      return { groups: shown, seen };
    },
    "groups.register": ({ sender }, wanted) => registerGroup(deps, sender, wanted),
    async "groups.change"({ sender: by }, { group, options: wanted }) {
      const found = await requireGroup(deps, group);
      const options = settleFolders(deps.checkFolder, wanted, found.options);
      await append(deps, { type: "group.changed", conversation: installationKey, group, options, by });
      return { ...found, options };
    },
    async "groups.remove"({ sender: by }, { group }) {
      const { channel, address } = await requireGroup(deps, group);
      // its threads and tasks too: what they wait for is not to be answered any more
      const isTheirs = async (conversation: string) => (await deps.ledger.groupOf(conversation))?.name === group;
      const stopped = await stopWork(deps, by, isTheirs);
      await append(deps, { type: "group.removed", conversation: installationKey, group, by });
      // what came in at that very moment
      const isInChat = async (conversation: string) => {
        const chat = await deps.ledger.chat(conversation);
        return chat?.channel === channel && chat.address.chat === address.chat;
      };
      await stopWork(deps, by, isInChat, stopped);
      return { ok: true };
    },
  };
}

const optionalSecrets: readonly string[] = ["NTFY_TOKEN", "NTFY_PRESS_TOKEN"];

function requireTalk(deps: ChannelMethodDeps, channel: ChannelName): void {
  const definition = deps.definitions.find(({ name }) => name === channel);
  if (definition?.capabilities.receives && definition.capabilities.identity === "verified") return;
  throw new CallRefused("invalid", `On ${definition?.title ?? channel} nobody is let in by a code. See docs/channels.`);
}

async function tryOut(deps: ChannelMethodDeps, name: ChannelName): Promise<{ ok: boolean; detail: string }> {
  const open = deps.channels.get(name);
  if (!open) return { ok: false, detail: notOpenWords(deps, name) };
  const { channel, definition } = open;
  const life = channel.life();
  if (life.state === "refused") return { ok: false, detail: life.detail };
  const chat = await findOwnersChat(deps, name);
  const signal = AbortSignal.timeout(testMs);
  try {
    const address = chat?.address ?? (await firstAddress(deps, name, signal));
    if (!address)
      return {
        ok: false,
        detail: `I do not know yet where you are on ${definition.title}. Write to me there first, with a code from: steward channels pair`,
      };
    const [piece] = channel.render(`This is a test from ${deps.settings.agent.name}. It works.`);
    const key = `test.${deps.world.newId("test")}`;
    await channel.send(address, { key, piece, details: chat?.details ?? {} }, signal);
    return { ok: true, detail: "Sent. It should show up there in a moment." };
  } catch (cause) {
    return { ok: false, detail: reasonOf(cause) };
  }
}

/** Before anything was said there: where the platform lets one begin. */
async function firstAddress(deps: ChannelMethodDeps, name: ChannelName, signal: AbortSignal) {
  const { channel } = deps.channels.get(name) ?? {};
  const [person] = await listPeople(deps, name);
  if (name === "ntfy") return { chat: deps.settings.channels.ntfy.topic };
  return person && (await channel?.directAddress?.(person.id, signal));
}

type Wanted = {
  channel: ChannelName;
  address: Group["address"];
  name?: string | undefined;
  title: string;
  options: GroupOptions;
};

export async function registerGroup(
  deps: Pick<ChannelMethodDeps, "home" | "ledger" | "store" | "definitions" | "checkFolder">,
  by: Sender,
  { channel, address: { chat }, name, title, options: wanted }: Wanted,
): Promise<Group> {
  const { ledger } = deps;
  if (deps.definitions.find((definition) => definition.name === channel)?.capabilities.groups !== true)
    throw new CallRefused("invalid", `There are no groups on ${channel}.`);
  const groups = await ledger.groups();
  const there = groups.find((group) => group.channel === channel && group.address.chat === chat);
  if (there) throw new CallRefused("conflict", `That chat is the group ${there.name} already.`);
  const former = await ledger.formerGroups();
  const before = former.find((group) => group.channel === channel && group.address.chat === chat);
  // the folder of another chat is not handed to this one
  const taken = new Set([...groups, ...former.filter((group) => group !== before)].map((group) => group.name));
  const isFree = (wanted: string) =>
    !isReserved(wanted) &&
    !taken.has(wanted) &&
    (wanted === before?.name || !existsSync(join(deps.home, "groups", wanted)));
  const folder = name ?? (before && isFree(before.name) ? before.name : freeName(title, isFree));
  if (!isFree(folder))
    throw new CallRefused("conflict", `The name ${folder} is taken, or was another group's. Choose another one.`);
  const shown = visibleLine(title, 120);
  const options = settleFolders(deps.checkFolder, wanted);
  const group = {
    name: folder,
    title: shown,
    conversation: conversationAt(channel, { chat }),
    channel,
    address: { chat },
    options,
  };
  await append(deps, {
    ...{ type: "group.registered", conversation: installationKey, group: folder },
    ...{ title: shown, channel, address: { chat }, options, by },
  });
  return group;
}

/** "Family Chat" → family-chat */
function freeName(title: string, isFree: (name: string) => boolean): string {
  const plain = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 30)
    .replace(/-+$/, "");
  const base = GroupName.safeParse(plain).success && !isReserved(plain) ? plain : "group";
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (isFree(name)) return name;
  }
}

function isReserved(name: string): boolean {
  return name === removedGroupName || name.startsWith(mailGroupPrefix);
}

async function requireGroup({ ledger }: Pick<ChannelMethodDeps, "ledger">, name: string): Promise<Group> {
  const group = (await ledger.groups()).find((each) => each.name === name);
  if (group) return group;
  throw new CallRefused("not_found", `There is no group ${name}. steward groups shows those there are.`);
}

async function append({ store }: Pick<ChannelMethodDeps, "store">, event: NewEvent): Promise<void> {
  await store.log.append([event]);
}
