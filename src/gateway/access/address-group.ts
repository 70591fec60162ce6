import { isIPv6 } from "node:net";

/** Whose address it is: an IPv4 address as it is, an IPv6 address by its /64, because its owner can pick the rest at will. */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  return `${unfold(plain).slice(0, 4).join(":")}::/64`;
}

/** `::ffff:127.0.0.1` is 127.0.0.1, and a zone such as `%eth0` says nothing about who it is. */
export function plainAddress(address: string): string {
  const [withoutZone = ""] = address.toLowerCase().split("%");
  return withoutZone.startsWith("::ffff:") && withoutZone.includes(".") ? withoutZone.slice(7) : withoutZone;
}

function unfold(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const parts = [...left, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...right];
  return parts.map((part) => part.replace(/^0+(?=.)/, ""));
}
