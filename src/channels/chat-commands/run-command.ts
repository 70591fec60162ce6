// Orders to Steward itself, written in a chat: no model hears of them. Each is done once, also if the platform brings it twice.
import { Failure } from "../../contract/failure.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { IntakeDeps } from "../intake/intake-deps.ts";
import { chatCommands } from "./chat-commands.ts";
import { type ChatPlace, commandSign, type FoundCommand } from "./chat-place.ts";
import { readGroupOrder } from "./group-orders.ts";

/** Undefined: these are words for the assistant. */
export function findCommand(text: string, { group }: Pick<ChatPlace, "group">): FoundCommand | undefined {
  const order = group ? undefined : readGroupOrder(text);
  if (order) return order;
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  const name = match?.[1]?.toLowerCase() ?? "";
  const rest = match?.[2]?.trim() ?? "";
  const isOrder = Object.hasOwn(chatCommands, name) || (name !== "" && rest === "" && !group);
  return isOrder ? { name, rest } : undefined;
}

export async function runCommand(deps: IntakeDeps, place: ChatPlace, found: FoundCommand): Promise<void> {
  const { name, rest } = found;
  const { conversation, channel, key, sender } = place;
  const command = `/${name}${rest === "" ? "" : ` ${rest.slice(0, 500)}`}`;
  const note = () =>
    deps.store.log.append([{ type: "chat.commanded", conversation, channel, command, by: sender }], {
      idempotencyKey: orderKey(place),
    });
  const answer = () => answerTo(deps, place, found);
  const text = chatCommands[name]?.mayRepeat
    ? await doThenNote(await wasOrdered(deps, place), note, answer)
    : await noteThenDo(command, note, answer);
  if (text === "") return;
  await deps.store.log.append(
    [{ type: "reply.written", conversation, channel, text: deps.redact(text), attachments: [] }],
    { idempotencyKey: `commanded:${conversation}:${key}` },
  );
}

/** The platform brings it again: it was an order when it came first, whatever the same words would be now. */
export async function wasOrdered({ store }: Pick<IntakeDeps, "store">, place: ChatPlace): Promise<boolean> {
  const { repeated } = await store.log.append([], { idempotencyKey: orderKey(place) });
  return repeated;
}

function orderKey({ conversation, key }: ChatPlace): string {
  return `command:${conversation}:${key}`;
}

type Note = () => Promise<{ repeated: boolean }>;

/** Cut off before it is noted, it is done again when it comes again; after that it is over. */
async function doThenNote(isNoted: boolean, note: Note, answer: () => Promise<string>): Promise<string> {
  if (isNoted) return "";
  const text = await answer();
  await note();
  return text;
}

/** Done again it could be done twice; told again it is only told. */
async function noteThenDo(command: string, note: Note, answer: () => Promise<string>): Promise<string> {
  const { repeated } = await note();
  return repeated
    ? `${command} came while Steward was starting anew. If nothing came of it, say it once more.`
    : await answer();
}

async function answerTo(deps: IntakeDeps, place: ChatPlace, { name, rest, reason }: FoundCommand): Promise<string> {
  const command = Object.hasOwn(chatCommands, name) ? chatCommands[name] : undefined;
  if (!command) return `There is no command ${commandSign(place)}${name}. ${commandSign(place)}help lists them.`;
  if (place.group && command.inGroups !== "all" && !place.mayCommand)
    return command.inGroups === "owner" ? "Only the owner can do that here." : "";
  if (place.group && command.inGroups === "never") return "That is for your own chat with me.";
  try {
    return await command.run(deps, place, rest, reason);
  } catch (cause) {
    if (cause instanceof CallRefused || cause instanceof Failure) return cause.message;
    throw cause;
  }
}
