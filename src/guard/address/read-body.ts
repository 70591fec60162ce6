import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { reasonOf } from "../../contract/failure.ts";
import type { FailedFetch, FetchLimits, TransportResponse } from "./fetch-outcome.ts";

export const acceptedEncodings = "gzip, deflate, br";

/** Below this size a high ratio is ordinary: a page of blanks is no decompression bomb. */
const ratioFreeBytes = 256 * 1024;

class BodyRefused extends Error {
  readonly failure: FailedFetch["failure"];
  constructor(failure: FailedFetch["failure"], message: string) {
    super(message);
    this.name = "BodyRefused";
    this.failure = failure;
  }
}

/** Reads a whole body within the limits; a body that breaks one is let go of at once. */
export async function readBody(
  response: TransportResponse,
  limits: Pick<FetchLimits, "maxBytes" | "maxDecompressionRatio">,
): Promise<{ kind: "read"; bytes: Uint8Array } | FailedFetch> {
  try {
    if (Number(response.headers["content-length"]) > limits.maxBytes) throw tooLarge(limits.maxBytes);
    const received = { bytes: 0 };
    const decoded = decode(count(response.body, received, limits.maxBytes), response.headers["content-encoding"]);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of decoded) {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
      if (bytes > Math.max(ratioFreeBytes, received.bytes * limits.maxDecompressionRatio))
        throw new BodyRefused("size", `the body unpacks to more than ${limits.maxDecompressionRatio} times its size`);
      chunks.push(chunk);
    }
    return { kind: "read", bytes: Buffer.concat(chunks) };
  } catch (error) {
    response.discard();
    if (error instanceof BodyRefused) return { kind: "failed", failure: error.failure, reason: error.message };
    return { kind: "failed", failure: "connection", reason: `the body did not arrive whole: ${reasonOf(error)}` };
  }
}

async function* count(
  body: AsyncIterable<Uint8Array>,
  received: { bytes: number },
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    received.bytes += chunk.length;
    if (received.bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function decode(body: AsyncIterable<Uint8Array>, header: string | undefined): AsyncIterable<Uint8Array> {
  const encoding = header?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return body;
  const decoder = decoders.get(encoding)?.();
  // several encodings in a row multiply what a small body can become, and no honest server needs them
  if (!decoder) throw new BodyRefused("encoding", "the body comes in an encoding that was not asked for");
  // the error reaches whoever reads the decoder; a second report here would only repeat it
  pipeline(Readable.from(body, { objectMode: false }), decoder, () => {});
  return decoder;
}

const decoders: ReadonlyMap<string, () => NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

function tooLarge(maxBytes: number): BodyRefused {
  return new BodyRefused("size", `the body is larger than ${maxBytes} bytes`);
}
