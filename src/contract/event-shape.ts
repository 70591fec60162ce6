// What every event of the log has beside its own fields.
import { z } from "zod";

const place = { seq: z.number().int().positive(), atMs: z.number(), conversation: z.string() };

export const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...place, ...shape });

/** One that belongs to a turn. */
export const turnEvent = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  event(type, { turn: z.string(), ...shape });
