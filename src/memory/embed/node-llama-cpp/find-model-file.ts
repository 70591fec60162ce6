// The file that the owner has named, looked at before anything is loaded for it.
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, isAbsolute } from "node:path";
import { codeOf } from "../../../contract/failure.ts";
import { underHome } from "../../../contract/words/home-path.ts";
import { EmbedderFailure } from "../embedder.ts";

export type ModelFile = {
  path: string;
  name: string;
  /** Tells it from another file of the same name, and stays when it is copied. */
  fingerprint: string;
};

const example = "such as ~/models/embeddinggemma-300M-Q8_0.gguf";
const mark = "GGUF";
// the beginning says what the model is, and the end holds its last weights; all of it may be gigabytes
const bytesAtEachEnd = 64 * 1024;

/** Throws an EmbedderFailure when there is no such file, or it is no GGUF file. */
export async function findModelFile(modelPath: string | null): Promise<ModelFile> {
  if (modelPath === null)
    throw new EmbedderFailure(`Set memory.embedder.modelPath to a GGUF file of an embedding model, ${example}.`);
  const path = underHome(modelPath, homedir());
  if (!isAbsolute(path))
    throw new EmbedderFailure(
      `memory.embedder.modelPath is not a whole path: ${path}. Write it from the root, ${example}.`,
    );
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const beginning = await readAt(file, 0);
    const end = await readAt(file, Math.max(0, size - bytesAtEachEnd));
    if (beginning.subarray(0, mark.length).toString("latin1") !== mark)
      throw new EmbedderFailure(`${path} is no GGUF file. Set memory.embedder.modelPath to one, ${example}.`);
    const fingerprint = createHash("sha256").update(`${size}:`).update(beginning).update(end).digest("hex");
    return { path, name: basename(path), fingerprint: fingerprint.slice(0, 16) };
  } catch (cause) {
    if (cause instanceof EmbedderFailure) throw cause;
    const problem = codeOf(cause) === "ENOENT" ? "does not exist" : `cannot be read (${codeOf(cause)})`;
    throw new EmbedderFailure(`The model ${path} ${problem}. Check memory.embedder.modelPath.`, { cause });
  } finally {
    await file?.close();
  }
}

async function readAt(file: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytesAtEachEnd), position });
  return buffer.subarray(0, bytesRead);
}
