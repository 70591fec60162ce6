import { z } from "zod";
import { GroupName } from "../../channel/group.ts";
import { ConversationKey } from "../../conversation-key.ts";
import { defineMethods } from "./define-methods.ts";

/** Whose notes: the owner's own, or those of a group. */
const whose = { group: GroupName.optional() };
const Version = z.string().regex(/^[0-9a-f]{64}$/);

/** The files that are the memory: MEMORY.md, USER.md and memory/. */
export const noteMethods = defineMethods({
  "notes.list": {
    scopes: ["read"],
    params: z.strictObject(whose),
    result: z.object({ files: z.array(z.object({ path: z.string(), bytes: z.number(), changedAtMs: z.number() })) }),
  },
  "notes.read": {
    scopes: ["read"],
    params: z.strictObject({
      path: z.string().min(1).max(1_000),
      ...whose,
      /** An earlier one, from its history. */
      version: Version.optional(),
    }),
    /** `isNote` false: it lies beside the notes (memory.extraPaths), and is only read. */
    result: z.object({ text: z.string(), version: Version, isNote: z.boolean() }),
  },
  /** `version`: of the text that was edited; null: a new file. Another version is there by now: it is refused. */
  "notes.write": {
    scopes: [],
    params: z.strictObject({
      path: z.string().min(1).max(1_000),
      ...whose,
      text: z.string().max(1_000_000),
      version: Version.nullable(),
    }),
    result: z.object({ version: Version }),
  },
  /** Newest first. */
  "notes.history": {
    scopes: ["read"],
    params: z.strictObject({ path: z.string().min(1).max(1_000), ...whose }),
    result: z.object({
      changes: z.array(
        z.object({
          atMs: z.number(),
          /** Who changed it: you on the page, or the assistant in a conversation. */
          by: z.enum(["owner", "assistant"]),
          sessionKey: z.string().optional(),
          before: Version.nullable(),
          after: Version.nullable(),
        }),
      ),
    }),
  },
  /** Takes these lines out of their files, and these messages with what was said and done for them out of the log, for good. */
  "memory.forget": {
    scopes: [],
    params: z.strictObject({
      ...whose,
      /**
       * As it was looked for: of what was answered to a message, only what speaks of it goes along, and earlier texts of notes that
       * speak of it go too. Without it all that was answered goes, and no earlier text but those that hold one of the lines.
       */
      about: z.string().trim().min(2).max(200).optional(),
      /** False: earlier texts of notes stay, but for those that hold one of the lines. */
      earlierVersions: z.boolean().default(true),
      /** `text`: as it was shown; a line that says something else by now stays. */
      lines: z
        .array(z.strictObject({ path: z.string().max(4_000), line: z.number().int().positive(), text: z.string() }))
        .max(2_000)
        .default([]),
      messages: z
        .array(z.strictObject({ sessionKey: ConversationKey, seq: z.number().int().positive() }))
        .max(2_000)
        .default([]),
    }),
    result: z.object({
      ...{ lines: z.number(), messages: z.number(), earlierVersions: z.number() },
      stayed: z.array(z.string()),
    }),
  },
});
