import { z } from "zod";
import { ModelName } from "../model.ts";
import { Address } from "./address.ts";
import { sandboxKinds } from "./sandbox-kinds.ts";

/** The folder of a group below `groups/`, which is also its name. */
export const GroupName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "a group's name is lower-case letters, digits and dashes");

/** No group has this name: it stands for all that are no more. */
export const removedGroupName = "removed";
/** So begin the folders of those who are answered by mail. */
export const mailGroupPrefix = "mail-";

const Mount = z.strictObject({
  /** A whole path on this machine. */
  hostPath: z.string().min(1).max(1_000),
  /** Where commands of the group find it: /workspace/extra/<this>. Without one: the last part of the path. */
  containerPath: z
    .string()
    .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/)
    .max(200)
    // it stays below /workspace/extra
    .refine((path) => !path.split("/").some((part) => part === "." || part === ".."), "a plain path, without . and ..")
    .optional(),
  readonly: z.boolean().default(true),
});

/** Where commands of the group find a folder of the owner's. */
export function mountTarget({
  hostPath,
  containerPath,
}: {
  hostPath: string;
  containerPath?: string | undefined;
}): string {
  return `/workspace/extra/${containerPath ?? hostPath.replace(/\/+$/, "").split("/").at(-1)}`;
}

/** What the owner settles for a group; everything has a default that keeps it apart. */
export const GroupOptions = z.strictObject({
  /** The word at the start of a message that calls the assistant, in any case. Null: @ and its name. */
  trigger: z.string().trim().min(1).max(60).nullable().default(null),
  /** False: every message is answered. */
  needsTrigger: z.boolean().default(true),
  /** As guard.mode, for what members ask: ask, auto (changes in its own folder and listed commands run), deny. */
  mode: z.enum(["ask", "auto", "deny"]).default("ask"),
  sandbox: z
    .strictObject({
      kind: z.enum(sandboxKinds).default("auto"),
      image: z.string().max(300).default(""),
      additionalMounts: z.array(Mount).max(50).default([]),
      timeoutSeconds: z.number().int().min(1).max(86_400).default(1_800),
      /** Hosts that its commands may reach; empty: no network. */
      allowedHosts: z.array(z.string().min(1).max(253)).max(200).default([]),
      /** Of sandbox.credentials in the settings, the hosts whose headers its commands may use. */
      credentials: z.array(z.string().min(1).max(253)).max(50).default([]),
      /** Goes up when the sandbox shall be made anew. */
      madeAnew: z.number().int().min(0).default(0),
    })
    .prefault({}),
  model: ModelName.nullable().default(null),
});
export type GroupOptions = z.infer<typeof GroupOptions>;

/** A chat with several people in which Steward answers: its own folder, memory, conversation and sandbox. */
export const Group = z.object({
  name: GroupName,
  /** What people call it. */
  title: z.string().max(200),
  /** The conversation of its chat. Threads of it are conversations of their own, and of the same group. */
  conversation: z.string(),
  channel: z.string(),
  address: Address,
  options: GroupOptions,
});
export type Group = z.infer<typeof Group>;
