// The bytes of a file that somebody has sent. How large it is may be told wrongly or not at all, so they are counted as they come.

const mostBytes = 25 * 1024 * 1024;

export class TooLarge extends Error {}

/** Throws TooLarge, and whatever reading throws. */
export async function fetchedBytes({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // to leave the loop hangs up
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new TooLarge(`it is larger than ${mostBytes / 1024 / 1024} MB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
