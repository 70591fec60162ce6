// The pair of keys that this Steward signs its push messages with: made on first use, kept in one file.
import { generateKeyPairSync } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { Failure, orIfMissing } from "../../contract/failure.ts";

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const PrivateJwk = z.object({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: coordinate,
  y: coordinate,
  d: coordinate,
});

export type PushKeys = {
  privateJwk: z.infer<typeof PrivateJwk>;
  /** The point as browsers want it: uncompressed, base64url. */
  publicKey: string;
};

/** Kept, because browsers that subscribed with other keys would have to subscribe again. */
export async function readOrMakePushKeys(path: string): Promise<PushKeys> {
  const text = await readFile(path, "utf8").catch(orIfMissing(undefined));
  return fromJwk(text === undefined ? await make(path) : readJwk(path, text));
}

function readJwk(path: string, text: string): PushKeys["privateJwk"] {
  try {
    return PrivateJwk.parse(JSON.parse(text));
  } catch (cause) {
    throw new Failure(
      `${path} does not hold the keys for notifications. Delete it to get new ones; browsers must then be allowed again.`,
      { cause },
    );
  }
}

async function make(path: string): Promise<PushKeys["privateJwk"]> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = PrivateJwk.parse(privateKey.export({ format: "jwk" }));
  const unfinished = `${path}.new`;
  await writeFile(unfinished, JSON.stringify(jwk), { mode: 0o600 });
  await rename(unfinished, path);
  return jwk;
}

function fromJwk(privateJwk: PushKeys["privateJwk"]): PushKeys {
  const point = [Buffer.of(4), Buffer.from(privateJwk.x, "base64url"), Buffer.from(privateJwk.y, "base64url")];
  return { privateJwk, publicKey: Buffer.concat(point).toString("base64url") };
}
