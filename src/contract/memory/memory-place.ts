import { z } from "zod";

/** Where a find stands: lines of a file, or messages of a conversation by their numbers. */
export const MemoryPlace = z.object({
  /** Relative to the folder that was searched, or a whole path beside it. */
  path: z.string().optional(),
  startLine: z.number().int().positive().optional(),
  endLine: z.number().int().positive().optional(),
  sessionKey: z.string().optional(),
  fromSeq: z.number().int().positive().optional(),
  toSeq: z.number().int().positive().optional(),
  /** The day it was written or said, as 2026-11-15, where that is known. */
  date: z.string().optional(),
  /** 0 to 1: how much of what the question is about it is thought to hold. */
  score: z.number(),
  /** Why it was found, in words. */
  why: z.array(z.string()),
});
export type MemoryPlace = z.infer<typeof MemoryPlace>;

export const MemoryFind = MemoryPlace.extend({
  text: z.string(),
  /** The one paragraph or message in it that fits best. */
  best: z
    .object({
      text: z.string(),
      speaker: z.string().optional(),
      date: z.string().optional(),
      startLine: z.number().int().positive().optional(),
      seq: z.number().int().positive().optional(),
    })
    .optional(),
  /** Who said it, where that is known. */
  speakers: z.array(z.string()),
  /** Where words in it come from that are nobody's to obey. */
  labels: z.array(z.string()),
});
export type MemoryFind = z.infer<typeof MemoryFind>;
