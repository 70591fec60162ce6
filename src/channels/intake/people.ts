// Who may talk on a channel as the owner: those whom the settings name and those who were let in by a code.
import type { Chat } from "../../contract/channel/address.ts";
import type { ChannelName } from "../../contract/channel/channel.ts";
import type { ChannelLedger } from "../../contract/channel/channel-ledger.ts";
import { removedGroupName } from "../../contract/channel/group.ts";
import type { Settings } from "../../contract/settings.ts";

export type ShownPerson = { id: string; name: string; from: "settings" | "paired" };

type PeopleDeps = { settings: Settings; ledger: Pick<ChannelLedger, "people"> };

export async function listPeople(
  { settings, ledger }: PeopleDeps,
  channel: ChannelName,
): Promise<readonly ShownPerson[]> {
  const paired = await ledger.people(channel);
  const named = namedIn(settings, channel).map((id): ShownPerson => {
    return { id, name: paired.find((person) => person.id === id)?.name ?? id, from: "settings" };
  });
  const others = paired.filter(({ id }) => !named.some((person) => person.id === id));
  return [...named, ...others.map(({ id, name }): ShownPerson => ({ id, name, from: "paired" }))];
}

/** The direct conversation in which the owner spoke last, if whoever speaks there still may: on this channel, or on any. */
export async function findOwnersChat(
  deps: PeopleDeps & { ledger: Pick<ChannelLedger, "ownersChats"> },
  channel?: ChannelName,
): Promise<Chat | undefined> {
  for (const chat of await deps.ledger.ownersChats(channel)) if (await mayStillTalk(deps, chat)) return chat;
  return undefined;
}

/** Of a chat with several people, and of a phone, it is asked elsewhere. */
export async function mayStillTalk(deps: PeopleDeps, { channel, isDirect, person }: Chat): Promise<boolean> {
  return !isDirect || person === undefined || isAllowed(deps, channel as ChannelName, person);
}

/** What goes on in a conversation may be seen in its chat: nobody there was shut out, and no group was ended. */
export async function isHeard(
  deps: PeopleDeps & { ledger: Pick<ChannelLedger, "groupOf"> },
  chat: Chat,
): Promise<boolean> {
  if ((await deps.ledger.groupOf(chat.conversation))?.name === removedGroupName) return false;
  return mayStillTalk(deps, chat);
}

/** By the stable id, and by nothing that its bearer could change. */
export async function isAllowed({ settings, ledger }: PeopleDeps, channel: ChannelName, id: string): Promise<boolean> {
  if (namedIn(settings, channel).includes(channel === "email" ? id.toLowerCase() : id)) return true;
  return (await ledger.people(channel)).some((person) => person.id === id);
}

function namedIn({ channels }: Settings, channel: ChannelName): readonly string[] {
  const section = channels[channel];
  if (!("allowedUserIds" in section)) return [];
  return channel === "email" ? section.allowedUserIds.map((id) => id.toLowerCase()) : section.allowedUserIds;
}
