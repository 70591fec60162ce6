// Orders to Steward itself, written in a chat: no model hears of them. Each is done once, also if the platform brings it twice.
import { Failure } from "../../contract/failure.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { IntakeDeps } from "../intake/intake-deps.ts";
import { chatCommands } from "./chat-commands.ts";
import type { ChatPlace, FoundCommand } from "./chat-place.ts";
import { readGroupOrder } from "./group-orders.ts";

/** Undefined: these are words for the assistant. */
export function findCommand(text: string, { group }: Pick<ChatPlace, "group">): FoundCommand | undefined {
  const order = group ? undefined : readGroupOrder(text);
  if (order) return order;
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  const name = match?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(chatCommands, name) ? { name, rest: match?.[2]?.trim() ?? "" } : undefined;
}

export async function runCommand(deps: IntakeDeps, place: ChatPlace, { name, rest }: FoundCommand): Promise<void> {
  const { conversation, channel, key, sender } = place;
  const command = `/${name}${rest === "" ? "" : ` ${rest.slice(0, 500)}`}`;
  const { repeated } = await deps.store.log.append(
    [{ type: "chat.commanded", conversation, channel, command, by: sender }],
    { idempotencyKey: `command:${conversation}:${key}` },
  );
  // done again it could be done twice; told again it is only told
  const text = repeated
    ? `${command} came while Steward was starting anew. If nothing came of it, say it once more.`
    : await answerTo(deps, place, { name, rest });
  if (text === "") return;
  await deps.store.log.append(
    [{ type: "reply.written", conversation, channel, text: deps.redact(text), attachments: [] }],
    { idempotencyKey: `commanded:${conversation}:${key}` },
  );
}

async function answerTo(deps: IntakeDeps, place: ChatPlace, { name, rest }: FoundCommand): Promise<string> {
  const command = chatCommands[name];
  if (!command) return "";
  if (place.group && command.inGroups !== "all" && !place.mayCommand)
    return command.inGroups === "owner" ? "Only the owner can do that here." : "";
  if (place.group && command.inGroups === "never") return "That is for your own chat with me.";
  try {
    return await command.run(deps, place, rest);
  } catch (cause) {
    if (cause instanceof CallRefused || cause instanceof Failure) return cause.message;
    throw cause;
  }
}
