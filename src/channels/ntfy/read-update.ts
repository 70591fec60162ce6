// A line of the server, and the press that it may hold.
import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type { IncomingUpdate } from "../../contract/channel/incoming-update.ts";
import { openSealed } from "./reply-topic.ts";

const Line = z.object({
  id: z.string().min(1).max(100),
  time: z.number(),
  event: z.string(),
  message: z.string().default(""),
  tags: z.array(z.string()).default([]),
  sequence_id: z.string().optional(),
});
export type NtfyLine = z.infer<typeof Line>;

/** A message of ntfy, or a sign of life; undefined for anything else. */
export function readLine(text: string): NtfyLine | undefined {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    // a server that says something else than JSON has said nothing that concerns us
    return undefined;
  }
}

/** Undefined for what somebody else has posted. */
export function readUpdate(
  { key, address, answer }: { key: Buffer; address: Address; answer(text: string): Promise<void> },
  { message, time }: NtfyLine,
): IncomingUpdate | undefined {
  const press = openSealed(key, message);
  if (press === undefined) return undefined;
  const from = { id: address.chat, name: "phone" };
  return { kind: "press", address, isDirect: true, title: "Phone", from, atMs: time * 1000, press, answer };
}
