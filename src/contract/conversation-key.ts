import { createHash } from "node:crypto";
import { z } from "zod";

const maxKeyLength = 180;

const followedChannels: readonly string[] = ["terminal", "web", "api", "hook", "task", "heartbeat"];

/** Whether the channel's clients follow the log themselves: a reply is there for them as soon as it is written. */
export function isFollowed(channel: string): boolean {
  return followedChannels.includes(channel);
}

/** `telegram`, `42` → `telegram--42`: safe as a file name, and two different senders never share a key. */
export function conversationKey(channel: string, ...parts: readonly string[]): string {
  const key = [channel, ...parts].map(encodePart).join("--");
  if (key.length <= maxKeyLength) return key;
  const digest = createHash("sha256").update(key).digest("hex");
  return `${key.slice(0, maxKeyLength - 66)}-h${digest}`;
}

export const ConversationKey = z
  .string()
  .max(maxKeyLength)
  .regex(/^[a-z0-9]+(--[A-Za-z0-9_.-]+)+$/, "a conversation key looks like terminal--default")
  .refine((key) => !key.includes(".."), "a conversation key holds no two dots in a row");

export function channelOf(key: string): string {
  return key.split("--", 1)[0] ?? key;
}

// every character that is not plainly safe becomes _ and its code, so that nothing collides;
// a dash next to a dash would look like the separator, a leading dot like a hidden file
function encodePart(part: string): string {
  const encoded = [...part]
    .map((character, index, all) => {
      const plain = /[A-Za-z0-9]/.test(character);
      const inner = index > 0 && index < all.length - 1 && /[A-Za-z0-9]/.test(all[index - 1] ?? "");
      if (plain || ((character === "-" || character === ".") && inner)) return character;
      return `_${character.codePointAt(0)?.toString(16)}_`;
    })
    .join("");
  return encoded === "" ? "_" : encoded;
}
