// The way in of every channel: who it is, whether they may talk, and what it is. Resolves when it is on disk or concerns nobody.
import { type Address, conversationAt } from "../../contract/channel/address.ts";
import type { ChannelDefinition } from "../../contract/channel/channel.ts";
import { fenced } from "../../contract/channel/fenced-data.ts";
import type { Group } from "../../contract/channel/group.ts";
import type { IncomingPress, IncomingUpdate, IncomingWords } from "../../contract/channel/incoming-update.ts";
import { installationKey } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { steward } from "../channels-deps.ts";
import { type ChatPlace, commandSign } from "../chat-commands/chat-place.ts";
import { findAnswer } from "../chat-commands/find-answer.ts";
import { findCommand, runCommand } from "../chat-commands/run-command.ts";
import { takePress } from "../questions/take-press.ts";
import type { IntakeDeps } from "./intake-deps.ts";
import { keepFiles } from "./keep-files.ts";
import { isAllowed } from "./people.ts";
import { readTrigger } from "./trigger.ts";

type Words = IncomingUpdate & IncomingWords;

export async function takeUpdate(
  deps: IntakeDeps,
  definition: ChannelDefinition,
  update: IncomingUpdate,
): Promise<void> {
  const { name } = definition;
  if (update.movedFrom) await moveGroup(deps, name, { from: update.movedFrom, to: update.address });
  const mayTalk = await isAllowed(deps, name, update.from.id);
  if (update.kind === "press")
    return takePress(deps, { channel: name, mayTalk }, update as IncomingUpdate & IncomingPress);
  const words = update as Words;
  if (!update.isDirect) return takeGroupWords(deps, definition, words, mayTalk);
  if (!mayTalk) return takeStranger(deps, definition, words);
  await takeOwnersWords(deps, definition, words);
}

/** Of a stranger nothing is kept and nobody is told, unless they bring a code. */
async function takeStranger(deps: IntakeDeps, { name, capabilities }: ChannelDefinition, words: Words): Promise<void> {
  const { id, name: called } = words.from;
  const mayPair = deps.settings.channels.pairing && capabilities.identity === "verified";
  const code = mayPair ? await deps.pairing.find(name, id, words.text) : undefined;
  if (!code) return deps.note("a stranger was not heard", { channel: name });
  const personName = visibleLine(called, 60) || id;
  const place = { conversation: conversationAt(name, words.address), channel: name };
  const help = `${commandSign({ channel: name })}help`;
  const text = `Welcome, ${personName}. From now on I listen to you here. ${help} says what I can do.`;
  try {
    await deps.store.log.append(
      [
        {
          type: "person.allowed",
          conversation: installationKey,
          channel: name,
          person: id,
          name: personName,
          by: steward,
        },
        { ...metEvent(place, words, {}), details: { ...words.details, pairedBy: words.key } },
        { type: "reply.written", ...place, text, attachments: [] },
      ],
      { idempotencyKey: `paired:${name}:${id}:${words.key}` },
    );
  } catch (cause) {
    await code.giveBack();
    throw cause;
  }
}

async function takeOwnersWords(
  deps: IntakeDeps,
  { name, capabilities }: ChannelDefinition,
  words: Words,
): Promise<void> {
  const conversation = await meet(deps, name, words);
  // the platform brings the code again, which nobody but Steward should read
  if ((await deps.ledger.chat(conversation))?.details.pairedBy === words.key) return;
  const isVerified = capabilities.identity === "verified";
  const sender: Sender = {
    kind: isVerified ? "owner" : "group",
    id: `${name}:${words.from.id}`,
    name: words.from.name,
  };
  const place: ChatPlace = {
    channel: name,
    conversation,
    address: words.address,
    sender,
    group: undefined,
    key: words.key,
  };
  const command = isVerified && words.files.length === 0 ? findCommand(words.text, place) : undefined;
  if (command) return runCommand(deps, place, command);
  const isBare = words.files.length === 0 && words.data === undefined;
  const answer = isVerified && isBare ? await findAnswer(deps, place, words) : undefined;
  if (answer === "again") return;
  if (answer) return runCommand(deps, place, answer);
  await receive(deps, place, words, words.text);
}

async function takeGroupWords(
  deps: IntakeDeps,
  { name }: ChannelDefinition,
  words: Words,
  mayTalk: boolean,
): Promise<void> {
  const group = (await deps.ledger.groups()).find(
    (each) => each.channel === name && each.address.chat === words.address.chat,
  );
  // strangers may put the bot into any chat; only one in which the owner has spoken is worth remembering
  if (!group) return mayTalk ? deps.sightings.add(name, words) : undefined;
  const isEmpty = words.text.trim() === "" && words.files.length === 0 && words.data === undefined;
  if (isEmpty && words.addressesUs !== true) return;
  const conversation = await meet(deps, name, words);
  const sender: Sender = { kind: "group", id: `${name}:${words.from.id}`, name: words.from.name };
  const { isCalled, text } = callOf(deps, group, words);
  const place: ChatPlace = { channel: name, conversation, address: words.address, sender, group, key: words.key };
  const command = words.files.length === 0 ? findCommand(text, place) : undefined;
  // whoever may talk as the owner elsewhere may also steer here, and is a member like others in everything they say
  if (command) return runCommand(deps, { ...place, mayCommand: mayTalk }, command);
  if (isCalled) return receive(deps, place, words, text.trim() === "" ? "(called without words)" : text);
  // what somebody else has said is read only where it is asked for, since nobody vouches for it
  const isPassedOn = words.isForwarded || (words.text === "" && words.files.length === 0 && words.data !== undefined);
  const hearing = isPassedOn ? "never" : "in turn";
  const { attachments, heard, remarks } = await keepFiles(deps, conversation, { files: words.files, hearing });
  const passedOn = isPassedOn ? ["[passed on what somebody else wrote]"] : [];
  const said = joined([words.text, ...passedOn, ...heard, ...remarks]);
  if (said === "" && attachments.length === 0) return;
  await deps.store.log.append(
    [
      {
        ...{ type: "message.overheard", conversation, messageId: deps.world.newId("message"), channel: name, sender },
        ...{ text: said, attachments: [...attachments] },
      },
    ],
    { idempotencyKey: `overheard:${conversation}:${words.key}` },
  );
}

/** The platform calls the chat by another name from now on: the group goes with it. */
async function moveGroup(
  { ledger, store }: IntakeDeps,
  channel: string,
  { from, to }: { from: Address; to: Address },
): Promise<void> {
  const groups = (await ledger.groups()).filter((each) => each.channel === channel);
  const group = groups.find(({ address }) => address.chat === from.chat);
  // the chat of another group stays theirs
  if (!group || groups.some(({ address }) => address.chat === to.chat)) return;
  const { name, title, options } = group;
  const place = { title, channel, address: { chat: to.chat } };
  await store.log.append([
    {
      ...{ type: "group.registered", conversation: installationKey, group: name, ...place, options, by: steward },
      movedFrom: { chat: from.chat },
    },
  ]);
}

function callOf({ settings }: IntakeDeps, { options }: Group, words: Words): { isCalled: boolean; text: string } {
  const found = readTrigger(words.text, { trigger: options.trigger, assistantName: settings.agent.name });
  if (found.isCalled) return found;
  return { isCalled: words.addressesUs === true || !options.needsTrigger, text: words.text };
}

/** What is known of the place is on disk before what was said in it. */
async function meet(deps: IntakeDeps, channel: string, words: Words): Promise<string> {
  const conversation = conversationAt(channel, words.address);
  const known = await deps.ledger.chat(conversation);
  const met = metEvent({ conversation, channel }, words, known?.details ?? {});
  const isNews =
    known?.title !== met.title ||
    known.isDirect !== met.isDirect ||
    known.person !== met.person ||
    Object.entries(met.details).some(([name, value]) => known.details[name] !== value);
  if (isNews) await deps.store.log.append([met]);
  return conversation;
}

function metEvent(
  place: { conversation: string; channel: string },
  { address, isDirect, title, details, from }: Words,
  before: Readonly<Record<string, string>>,
) {
  const person = isDirect ? { person: from.id } : {};
  const shown = visibleLine(title, 200);
  return {
    type: "chat.met" as const,
    ...place,
    address,
    isDirect,
    title: shown,
    details: { ...before, ...details },
    ...person,
  };
}

const aboutOthersWords = "With this message came words that its sender has not written.";

async function receive(deps: IntakeDeps, place: ChatPlace, words: Words, text: string): Promise<void> {
  const { conversation, channel, sender, key, group } = place;
  const files = { files: words.files, hearing: "at once" } as const;
  const { attachments, heard, remarks } = await keepFiles(deps, conversation, files);
  // files take their time, and whoever sent them, or the group, may be removed meanwhile
  const mayStill = group
    ? (await deps.ledger.groupOf(conversation))?.name === group.name
    : await isAllowed(deps, channel, words.from.id);
  if (!mayStill) return;
  // what is passed on was said by somebody else, also if it was spoken
  const said = joined([text, ...(words.isForwarded ? [] : heard)]);
  const brought = joined([words.data ?? "", ...(words.isForwarded ? heard : [])]);
  const isOthers = brought !== "" && words.labels !== undefined && words.labels.length > 0;
  const beside = joined([isOthers ? fenced(aboutOthersWords, brought) : brought, ...remarks]);
  if (said === "" && beside === "") return;
  const markSeen = deps.goingOn(conversation);
  try {
    await deps.receive({
      ...{ conversation, channel, sender, text: said, attachments, idempotencyKey: key },
      // only what was typed names places: a voice may have been anybody's
      ...(said !== text && { named: [text] }),
      ...(beside !== "" && { data: beside }),
      // names of files are chosen by whoever made them
      labels: [...(words.labels ?? []), ...(remarks.length > 0 ? ["upload:names"] : [])],
    });
  } catch (cause) {
    // the same number with other words: it is there already, as it was said first
    if (!(cause instanceof CallRefused && cause.code === "conflict")) throw cause;
  }
  if (words.ref !== undefined) markSeen?.(words.ref);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}
