// What was recalled of what goes: why it was found holds words of it, which go too, wherever it was recalled.
import type { MemoryPlace } from "../../contract/memory/memory-place.ts";
import type { Queryable } from "../../store/database/database.ts";
import { recallsOf } from "../../store/log/changed-files.ts";
import type { ToForget } from "../memory.ts";
import type { SpeaksOf } from "./asked-words.ts";

type Message = ToForget["messages"][number];

/** By the conversation and the number of the recall. */
export async function findRecalls(
  db: Queryable,
  isTheirs: (conversation: string) => Promise<boolean>,
  {
    paths,
    messages,
    speaksOf,
  }: { paths: readonly string[]; messages: readonly Message[]; speaksOf?: SpeaksOf | undefined },
): Promise<readonly Message[]> {
  const found: Message[] = [];
  for await (const { conversation, seq, finds } of recallsOf(db)) {
    const isOfIt = finds.some(
      (find) => find.why.length > 0 && (isIn(find, paths, messages) || (speaksOf?.times(find.why.join("\n")) ?? 0) > 0),
    );
    if (isOfIt && (await isTheirs(conversation))) found.push({ sessionKey: conversation, seq });
  }
  return found;
}

function isIn(
  { path, sessionKey, fromSeq = 0, toSeq = fromSeq }: MemoryPlace,
  paths: readonly string[],
  messages: readonly Message[],
): boolean {
  if (path !== undefined) return paths.includes(path);
  return messages.some(
    (message) => message.sessionKey === sessionKey && message.seq >= fromSeq && message.seq <= toSeq,
  );
}
