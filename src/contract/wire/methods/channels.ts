// What clients may ask of the channels, of those who talk there, and of groups.
import { z } from "zod";
import { Address } from "../../channel/address.ts";
import { Group, GroupName, GroupOptions } from "../../channel/group.ts";
import { defineMethods, Empty, Ok } from "./define-methods.ts";

const channel = z.enum(["telegram", "slack", "discord", "email", "ntfy"]);

export const ShownChannel = z.object({
  name: channel,
  title: z.string(),
  receives: z.boolean(),
  groups: z.boolean(),
  /**
   * off: not wanted. incomplete: something is missing, which `detail` names. stopped: no Steward is running that would connect it.
   * lost: it does not answer, and is tried again.
   */
  state: z.enum(["off", "incomplete", "stopped", "connecting", "connected", "lost", "refused"]),
  /** For a person: as whom it is connected, or what is wrong and what to do. */
  detail: z.string(),
  /** When the platform last answered anything. */
  lastProofMs: z.number().optional(),
  /** Environment variables that it needs; `found`: there is a value, wherever it comes from. */
  secrets: z.array(z.object({ name: z.string(), found: z.boolean() })),
  /** Who may talk there as the owner; `settings`: named in config.json. */
  people: z.array(z.object({ id: z.string(), name: z.string(), from: z.enum(["settings", "paired"]) })),
  /** Answers that wait to be delivered. */
  waiting: z.number(),
});
export type ShownChannel = z.infer<typeof ShownChannel>;

export const PairingCode = z.object({ code: z.string(), channel: channel.nullable(), expiresAtMs: z.number() });
export type PairingCode = z.infer<typeof PairingCode>;

/** A chat with several people in which the bot sits and says nothing, since it is no group of Steward's. */
export const SeenChat = z.object({ channel, address: Address, title: z.string(), lastSeenMs: z.number() });
export type SeenChat = z.infer<typeof SeenChat>;

export const channelMethods = defineMethods({
  "channels.list": {
    scopes: ["read"],
    params: Empty,
    result: z.object({ channels: z.array(ShownChannel), codes: z.number() }),
  },
  /** Whoever writes the code to the bot within an hour may talk there as the owner. Shown once. Null: on any channel. */
  "channels.pair": {
    scopes: [],
    params: z.strictObject({ channel: channel.nullable().default(null) }),
    result: PairingCode,
  },
  /** Forgets every code that was not used. */
  "channels.unpair_codes": { scopes: [], params: Empty, result: Ok },
  "channels.remove_person": {
    scopes: [],
    params: z.strictObject({ channel, person: z.string().min(1).max(200) }),
    result: Ok,
  },
  /** Sends a line to the owner there, and answers when the platform has it. */
  "channels.test": {
    scopes: [],
    params: z.strictObject({ channel }),
    result: z.object({ ok: z.boolean(), detail: z.string() }),
  },
  /** Keeps a token in auth.json; in force after `settings.apply` or a restart. */
  "channels.set_secret": {
    scopes: [],
    params: z.strictObject({ name: z.string().max(60), value: z.string().min(1).max(1_000) }),
    result: Ok,
  },
  "channels.reconnect": { scopes: [], params: z.strictObject({ channel }), result: Ok },
  "groups.list": {
    scopes: ["read"],
    params: Empty,
    result: z.object({
      groups: z.array(
        // problems: why folders that it was given cannot be had now
        Group.extend({ folder: z.string(), lastAtMs: z.number().optional(), problems: z.array(z.string()) }),
      ),
      seen: z.array(SeenChat),
    }),
  },
  "groups.register": {
    scopes: [],
    params: z.strictObject({
      channel,
      address: Address,
      /** Without one: made from the title. */
      name: GroupName.optional(),
      title: z.string().trim().min(1).max(200),
      options: GroupOptions.prefault({}),
    }),
    result: Group,
  },
  "groups.change": { scopes: [], params: z.strictObject({ group: GroupName, options: GroupOptions }), result: Group },
  /** Its folder and what was said stay; Steward says nothing there any more. */
  "groups.remove": { scopes: [], params: z.strictObject({ group: GroupName }), result: Ok },
});
