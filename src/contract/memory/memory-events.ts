// What the memory does in conversations: what it laid beside a message, and what of them was forgotten.
import { z } from "zod";
import { GroupName } from "../channel/group.ts";
import { event, turnEvent } from "../event-shape.ts";
import { FileChange } from "../file-change.ts";
import { Sender } from "../sender.ts";
import { MemoryPlace } from "./memory-place.ts";

export const memoryEvents = [
  // where it stands, and none of its words: what is forgotten later must not live on here
  turnEvent("memory.recalled", {
    /** `hash`: of the text that stood there, so that another one is not taken for it. */
    finds: z.array(MemoryPlace.extend({ hash: z.string().optional() })),
    tokens: z.number().int().nonnegative(),
  }),
  // the words of these events of the conversation are gone
  event("messages.forgotten", { seqs: z.array(z.number().int().positive()).min(1).max(10_000), by: Sender }),
  // a note as the owner has written it; by their hashes both texts lie with the checkpoints
  event("note.written", {
    group: GroupName.optional(),
    path: z.string(),
    before: FileChange.shape.before,
    after: FileChange.shape.after,
    by: Sender,
  }),
] as const;

type MemoryEventType = z.infer<(typeof memoryEvents)[number]>["type"];
const types: ReadonlySet<string> = new Set(memoryEvents.map((each) => each.shape.type.value));

/** For folds that pass over all of them. */
export function isMemoryEvent<Any extends { type: string }>(any: Any): any is Extract<Any, { type: MemoryEventType }> {
  return types.has(any.type);
}
