// A button cannot reach Steward, which listens on this machine only. It posts to a topic of Steward's own on the same server, whose
// name nobody can guess, and what it posts is signed, so that only what Steward has offered can be pressed.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ChannelBase } from "../../contract/channel/channel.ts";

export type ReplyTopic = { name: string; key: Buffer };

const longestTopic = 64;
const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/** The same after every start, so that buttons that are on the phone already stay good. */
export async function openReplyTopic(base: ChannelBase, topic: string): Promise<ReplyTopic> {
  const suffix = await keep(base, "reply suffix", randomSuffix);
  const key = await keep(base, "button key", () => randomBytes(32).toString("base64url"));
  // it begins as the topic does, so that one rule of the server's can allow both
  return { name: `${topic.slice(0, longestTopic - suffix.length - 1)}-${suffix}`, key: Buffer.from(key, "base64url") };
}

/** What a button posts. */
export function sealPress(key: Buffer, press: string): string {
  return `${sealOf(key, press)}.${Buffer.from(press).toString("base64url")}`;
}

/** The press in what was posted; undefined for anything that Steward has not sealed. */
export function openSealed(key: Buffer, posted: string): string | undefined {
  const [seal = "", encoded = ""] = posted.split(".");
  const press = Buffer.from(encoded, "base64url").toString();
  const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(key, press))];
  return given.length === right.length && timingSafeEqual(given, right) ? press : undefined;
}

function sealOf(key: Buffer, press: string): string {
  return createHmac("sha256", key).update(press).digest("base64url");
}

async function keep(base: ChannelBase, name: string, make: () => string): Promise<string> {
  const known = await base.recall(name);
  if (known) return known;
  const made = make();
  await base.remember(name, made);
  return made;
}

function randomSuffix(): string {
  return Array.from(randomBytes(24), (byte) => base32[byte % base32.length]).join("");
}
