// What `steward doctor` says of the memory: whether what turns texts into vectors can be had as it is set up.
import { reasonOf } from "../contract/failure.ts";
import { embedderWords } from "../contract/memory/embedder-words.ts";
import type { CheckContext, Finding } from "../contract/room/room.ts";
import { openEmbedders } from "./kept/embedders.ts";

const timeLimitMs = 5_000;
const name = "memory";

export async function checkMemory({
  settings,
  environment,
  storedKeys,
}: Pick<CheckContext, "settings" | "environment" | "storedKeys">): Promise<readonly Finding[]> {
  const { enabled, embedder: wanted } = settings.memory;
  if (!enabled) return [{ ok: true, name, detail: "switched off (memory.enabled)" }];
  const embedders = openEmbedders({ environment, storedKeys, timeLimitMs });
  try {
    const embedder = await embedders.of(wanted);
    await embedder?.embed(["hello"], { signal: AbortSignal.timeout(timeLimitMs) });
    return [{ ok: true, name, detail: embedderWords(wanted.provider) }];
  } catch (cause) {
    const next =
      "Mend it, or set memory.embedder.provider to builtin. Until then notes and messages are found by their words.";
    return [{ ok: false, name, detail: reasonOf(cause), next }];
  } finally {
    await embedders.close();
  }
}
