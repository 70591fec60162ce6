// The conversations that the memory is measured on: a file comes in, and what was said, what is asked and where the answers stand go out.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { codeOf, Failure, reasonOf } from "../../../src/contract/failure.ts";

const Turn = z.object({ id: z.string(), speaker: z.string(), text: z.string() });
const Session = z.object({ id: z.string(), date: z.string(), turns: z.array(Turn) });
/** `evidence`: the turns that hold the answer. */
const Query = z.object({ id: z.string(), q: z.string(), cat: z.number().int(), evidence: z.array(z.string()).min(1) });
const Conversation = z.object({ id: z.string(), sessions: z.array(Session), queries: z.array(Query) });
const Conversations = z.object({ convs: z.array(Conversation).min(1) });

export type Session = z.infer<typeof Session>;
export type Query = z.infer<typeof Query>;
export type Conversation = z.infer<typeof Conversation>;

export async function readConversations(path: string): Promise<readonly Conversation[]> {
  const text = await readFile(path, "utf8").catch((cause) => {
    if (codeOf(cause) === "ENOENT") throw new Failure(`There is no file ${path}, which --data names.`, { cause });
    throw new Failure(`--data cannot be read: ${reasonOf(cause)}.`, { cause });
  });
  const read = Conversations.safeParse(parse(text));
  if (read.success) return read.data.convs;
  throw new Failure(
    `--data ${path} holds no conversations with questions. It is JSON like {"convs": [{"id", "sessions", "queries"}]}.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // what is no JSON holds no conversations either, and is told as such
    return undefined;
  }
}

export function dayOf({ date }: Session): string {
  return date.slice(0, 10) || "undated";
}
