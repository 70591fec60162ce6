// The files of the static token table: a vocabulary, and for each of its tokens a scale and a row of bytes.
import { readFile } from "node:fs/promises";
import { codeOf } from "../../../contract/failure.ts";
import { EmbedderFailure } from "../embedder.ts";

export const dimensions = 256;

export type TokenFiles = {
  vocabulary: readonly string[];
  /** As they are in the file: a copy as floats would take four times the memory. */
  bytes: Int8Array;
  /** What the bytes of each row are multiplied with. */
  scales: Float32Array;
};

const bytesInScale = 4;

/** Throws an EmbedderFailure when the table is not there or not whole. */
export async function readTokenFiles(folder: string): Promise<TokenFiles> {
  const vocabulary = (await read(`${folder}/vocab.txt`)).toString("utf8").split("\n").filter(Boolean);
  const path = `${folder}/static-minilm-256.i8`;
  const file = await read(path);
  const count = vocabulary.length;
  const scaleBytes = count * bytesInScale;
  if (file.length !== scaleBytes + count * dimensions) throw notWhole(path);
  // the order of bytes is the file's and not the machine's
  const view = new DataView(file.buffer, file.byteOffset, scaleBytes);
  const scales = new Float32Array(count);
  for (let token = 0; token < count; token++) scales[token] = view.getFloat32(token * bytesInScale, true);
  if (!scales.every(Number.isFinite)) throw notWhole(path);
  return { vocabulary, scales, bytes: new Int8Array(file.buffer, file.byteOffset + scaleBytes, count * dimensions) };
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw notWhole(path, cause);
  }
}

function notWhole(path: string, cause?: unknown): EmbedderFailure {
  const problem =
    codeOf(cause) === "ENOENT" ? "is missing" : cause ? `cannot be read (${codeOf(cause)})` : "is damaged";
  return new EmbedderFailure(`The built-in memory table ${path} ${problem}. Install Steward again.`, { cause });
}
