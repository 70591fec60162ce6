import { createHash } from "node:crypto";

/** By which a text's vector is known, whatever unit it stands in. */
export function hashOfText(text: string): Uint8Array {
  return createHash("sha256").update(text).digest().subarray(0, 16);
}
