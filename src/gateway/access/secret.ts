import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** `stw_` and 256 random bits; the prefix lets a redactor know one when it sees it. */
export function newToken(): string {
  return `stw_${randomBytes(32).toString("base64url")}`;
}

export function looksLikeToken(text: string): boolean {
  return /^stw_[A-Za-z0-9_-]{43}$/.test(text);
}

export function newCode(): string {
  return randomBytes(16).toString("base64url");
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Takes as long for a near miss as for a far one (timing attack). */
export function sameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}
