import type { IncomingMessage, ServerResponse } from "node:http";
import { invalid, type Refusal } from "./refusal.ts";

// what a client still sends after it was refused is thrown away up to here, so that it can read the refusal
const maxIgnoredBytes = 16 * 1024 * 1024;

/** The bytes of the body, or why it is not taken. Called after the caller is known, never before. */
export async function readBody(response: ServerResponse, maxBytes: number): Promise<Buffer | Refusal> {
  const request = response.req;
  const message = `The body may hold at most ${maxBytes} bytes.`;
  const tooLarge: Refusal = { status: 413, code: "too_large", message };
  // nothing is unpacked, so nothing small can become huge (decompression bomb)
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    return invalid("Send the body as it is, without Content-Encoding.", 415);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return tooLarge;
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
  const pieces: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    request.on("data", take);
    request.on("end", () => resolve(Buffer.concat(pieces)));
    // aborted: nobody is left to read the answer, but the waiting must end
    request.on("close", () => resolve(invalid("The body broke off.")));
    function take(piece: Buffer): void {
      length += piece.length;
      if (length <= maxBytes) return void pieces.push(piece);
      pieces.length = 0;
      request.off("data", take);
      resolve(tooLarge);
    }
  });
}

/** Reads past what is left of a body that nobody wants; whoever goes on sending is cut off. */
export function ignoreBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let ignored = 0;
  request.on("data", (piece: Buffer) => {
    ignored += piece.length;
    if (ignored > maxIgnoredBytes) request.socket.destroy();
  });
  request.resume();
}

/** True for the one content type that a foreign page cannot send without asking first (CSRF by a plain form). */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? "");
}

export function parseJson(bytes: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    // not JSON or not UTF-8; the answer says so, and what a stranger sent is not worth a line in the log
    return undefined;
  }
}
