// The words of a message, without the name of the bot that calls it.
import { type Entity, type Me, type Message, type Quoted, unreadableKinds } from "./update-shapes.ts";

/** text undefined: it has none, such as a picture without a caption. */
export type Words = { text: string | undefined; addressesUs: boolean };

/** Undefined: a command for another bot. */
export function readWords(me: Me, message: Message): Words | undefined {
  const { text, entities } = spokenIn(message);
  if (text === undefined) return { text: spelledOut(message), addressesUs: false };
  const command = entities.find(({ type, offset }) => type === "bot_command" && offset === 0);
  const called = command && text.slice(0, command.length).split("@")[1];
  if (called !== undefined && !isOurName(me, called)) return undefined;
  const calls = entities.filter((entity) => callsUs(me, text, entity));
  const written = withLinks(text, entities);
  if (called !== undefined) return { text: written.replace(`@${called}`, ""), addressesUs: true };
  const leading = calls.find(({ offset }) => text.slice(0, offset).trim() === "");
  // a link behind it changes nothing before it, so that its place is the same in both
  const rest = leading ? written.slice(leading.offset + leading.length).replace(/^[\s,:]+/, "") : written;
  return { text: rest, addressesUs: calls.length > 0 };
}

/** The same for words that were said before or elsewhere: nobody is called by them. */
export function plainWords(message: Quoted | Message): string | undefined {
  const { text, entities } = spokenIn(message);
  return text === undefined ? spelledOut(message) : withLinks(text, entities);
}

function spokenIn({ text, entities, caption, caption_entities }: Quoted | Message) {
  return text === undefined ? { text: caption, entities: caption_entities } : { text, entities };
}

function callsUs(me: Me, text: string, { type, offset, length, user }: Entity): boolean {
  if (type === "text_mention") return user?.id === me.id;
  return type === "mention" && isOurName(me, text.slice(offset + 1, offset + length));
}

function isOurName(me: Me, name: string): boolean {
  return me.username !== "" && name.toLowerCase() === me.username.toLowerCase();
}

/** An address that hides behind other words stands after them. */
function withLinks(text: string, entities: readonly Entity[]): string {
  return entities
    .filter(({ type, url }) => type === "text_link" && url !== undefined)
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((so, { offset, length, url }) => {
      const end = offset + length;
      return so.slice(offset, end) === url ? so : `${so.slice(0, end)} (${url})${so.slice(end)}`;
    }, text);
}

/** In brackets, what is no text and no file. */
function spelledOut(message: Quoted | Message): string | undefined {
  const { sticker, dice, venue, location, contact, poll } = message;
  if (sticker) return `[sticker${sticker.emoji ? ` ${sticker.emoji}` : ""}]`;
  if (dice) return `[${dice.emoji ?? "dice"} ${dice.value ?? ""}]`;
  // a venue comes with its location
  if (venue) return `[place: ${listed(venue.title, venue.address, coordinates(venue.location))}]`;
  if (location) return `[location: ${coordinates(location)}]`;
  if (contact)
    return `[contact: ${listed([contact.first_name, contact.last_name].filter(Boolean).join(" "), contact.phone_number)}]`;
  if (poll) return `[poll: ${poll.question} ${poll.options.map(({ text }) => `– ${text}`).join(" ")}]`;
  const kind = unreadableKinds.find((one) => one in message);
  return kind && `[${kind.replace("_", " ")}, which Steward cannot read]`;
}

function listed(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}

function coordinates({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `${latitude}, ${longitude}`;
}
