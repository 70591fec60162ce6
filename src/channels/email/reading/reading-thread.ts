// The thread that reads mails: bytes come in, what they say goes out.
import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../../../contract/failure.ts";

export type ReadingThreadData = {
  /** Where compiled code is kept; a thread does not know by itself. */
  compiled: string | undefined;
};
export type Question = { wanted: "head" | "body"; raw: Uint8Array<ArrayBuffer> };

// The library joins the lines of a part with a Blob, which takes ten times as long and much memory outside of this thread's limit.
globalThis.Blob = joinedChunks as unknown as typeof Blob;

const { compiled } = workerData as ReadingThreadData;
if (compiled) module.enableCompileCache(compiled);
const { readBody, readHead } = await import("./read-mail.ts");
parentPort?.on("message", (question: Question) => void answer(question));
parentPort?.postMessage("ready");

async function answer({ wanted, raw }: Question): Promise<void> {
  try {
    if (wanted === "head") return parentPort?.postMessage({ answer: await readHead(raw) });
    const body = await readBody(raw);
    parentPort?.postMessage(
      { answer: body },
      body.files.map(({ data }) => data.buffer),
    );
  } catch (cause) {
    parentPort?.postMessage({ failed: `${reasonOf(cause)}.` });
  }
}

/** As much of a Blob as the library needs. */
function joinedChunks(chunks: readonly (Uint8Array | ArrayBuffer | string)[]) {
  const newline = Buffer.from("\n");
  return {
    async arrayBuffer(): Promise<ArrayBuffer> {
      const all = chunks.map((chunk) => {
        if (typeof chunk === "string") return chunk === "\n" ? newline : Buffer.from(chunk);
        return chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk;
      });
      const joined = new Uint8Array(all.reduce((bytes, chunk) => bytes + chunk.length, 0));
      let at = 0;
      for (const chunk of all) {
        joined.set(chunk, at);
        at += chunk.length;
      }
      return joined.buffer;
    },
  };
}
