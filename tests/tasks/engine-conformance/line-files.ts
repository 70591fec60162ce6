// What passes between the driver and the worker, and what the world outside would see: files of lines, which no kill takes back.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The driver tells what to do: a new task, or the answer to the question of one. */
const Order = z.object({ kind: z.enum(["task", "answer"]), task: z.number() });
export type Order = z.infer<typeof Order>;

/** What was done, in the order it was done, with the time. */
const Deed = z.object({
  kind: z.enum(["effect began", "effect ended", "unknown", "parked", "asked", "finished"]),
  task: z.number(),
  step: z.number().optional(),
  untilMs: z.number().optional(),
  atMs: z.number(),
});
export type Deed = z.infer<typeof Deed>;

export const orderFile = lineFile("orders.jsonl", Order);
export const deedFile = lineFile("deeds.jsonl", Deed);

function lineFile<Schema extends z.ZodType>(name: string, schema: Schema) {
  return {
    /** One write at the end of the file (O_APPEND): it is there whole or not at all. */
    add(folder: string, line: z.input<Schema>): void {
      appendFileSync(join(folder, name), `${JSON.stringify(line)}\n`);
    },
    read(folder: string): readonly z.output<Schema>[] {
      const text = readFileSync(join(folder, name), { encoding: "utf8", flag: "a+" });
      return text.split("\n").flatMap((line) => (line === "" ? [] : [schema.parse(JSON.parse(line))]));
    },
  };
}
