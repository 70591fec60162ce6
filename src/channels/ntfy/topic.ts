// The name of a topic is all that keeps others from reading along and pressing, unless the server keeps them out.
import { randomInt } from "node:crypto";
import { BlockList, isIP } from "node:net";

// no vowels, so that no word comes about, and nothing that looks like something else
const letters = "bcdfghjkmnpqrstvwxz23456789";
const randomLength = 16;
const proposed = new RegExp(`^steward-[${letters}]{${randomLength}}$`);
const shortest = 16;
// "phone2026" goes over from letters to digits once
const leastChanges = 2;

export function proposeTopic(): string {
  const drawn = Array.from({ length: randomLength }, () => letters[randomInt(letters.length)]);
  return `steward-${drawn.join("")}`;
}

/** Whether somebody who tries words may come upon it. */
export function isGuessable(topic: string): boolean {
  if (proposed.test(topic)) return false;
  const changes = topic.match(/[a-z](?=\d)|\d(?=[a-z])/gi) ?? [];
  return topic.length < shortest || changes.length < leastChanges;
}

/** Whether only this machine or its own network reaches the server, as far as its name says. */
export function isNearby(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const kind = isIP(host);
  if (kind !== 0) return nearbyAddresses().check(host, kind === 4 ? "ipv4" : "ipv6");
  return !host.includes(".") || /\.(localhost|local|lan|internal|home\.arpa)$/.test(host);
}

function nearbyAddresses(): BlockList {
  const nearby = new BlockList();
  nearby.addSubnet("127.0.0.0", 8);
  nearby.addSubnet("10.0.0.0", 8);
  nearby.addSubnet("172.16.0.0", 12);
  nearby.addSubnet("192.168.0.0", 16);
  nearby.addAddress("::1", "ipv6");
  nearby.addSubnet("fc00::", 7, "ipv6");
  return nearby;
}
