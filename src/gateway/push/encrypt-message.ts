// Web Push message encryption (RFC 8291 over RFC 8188, aes128gcm): only the browser that subscribed can read it.
import { createCipheriv, createECDH, hkdfSync } from "node:crypto";

/** What the browser gave, and the two things that must be new for every message. */
export type EncryptionKeys = {
  /** The browser's public key, base64url. */
  p256dh: string;
  /** The secret it shares with us, base64url. */
  auth: string;
  /** A private key for this one message. */
  ownPrivateKey: Buffer;
  salt: Buffer;
};

const curve = "prime256v1";
const recordBytes = 4096;
const tagBytes = 16;
/** The header, the tag and the mark of the last record take the rest of the one record that push services accept. */
export const maxMessageBytes = recordBytes - 16 - 4 - 1 - 65 - tagBytes - 1;

export function encryptMessage(keys: EncryptionKeys, message: Buffer): Buffer {
  if (message.length > maxMessageBytes)
    throw new Error(`A push message of ${message.length} bytes is too long; ${maxMessageBytes} fit.`);
  const browserKey = Buffer.from(keys.p256dh, "base64url");
  const own = createECDH(curve);
  own.setPrivateKey(keys.ownPrivateKey);
  const ownKey = own.getPublicKey();

  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browserKey, ownKey]);
  const secret = derive(own.computeSecret(browserKey), Buffer.from(keys.auth, "base64url"), info, 32);
  const contentKey = derive(secret, keys.salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, keys.salt, Buffer.from("Content-Encoding: nonce\0"), 12);

  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  // 2 marks the last record
  const sealed = Buffer.concat([cipher.update(message), cipher.update(Buffer.of(2)), cipher.final()]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(recordBytes);
  head.writeUInt8(ownKey.length, 4);
  return Buffer.concat([keys.salt, head, ownKey, sealed, cipher.getAuthTag()]);
}

/** A private key for one message. */
export function newMessageKey(): Buffer {
  const pair = createECDH(curve);
  pair.generateKeys();
  // leading zeros are left out, and a key is 32 bytes long
  const key = pair.getPrivateKey();
  return Buffer.concat([Buffer.alloc(32 - key.length), key]);
}

/** Whether a browser could have made these: a point on the curve and sixteen secret bytes. */
export function areBrowserKeys(keys: { p256dh: string; auth: string }): boolean {
  const point = Buffer.from(keys.p256dh, "base64url");
  if (point.length !== 65 || Buffer.from(keys.auth, "base64url").length !== 16) return false;
  try {
    const probe = createECDH(curve);
    probe.generateKeys();
    probe.computeSecret(point);
    return true;
  } catch {
    // a point off the curve is the answer, not a failure
    return false;
  }
}

function derive(key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, bytes));
}
