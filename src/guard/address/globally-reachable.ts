import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { specialIpv4Ranges, specialIpv6Ranges } from "./special-ranges.ts";

/** The address in its one canonical spelling, or why nobody may be sent there. */
export type AddressJudgement =
  | { kind: "public"; address: string }
  | { kind: "special"; address: string; reason: string }
  | { kind: "unreadable"; reason: string };

const purposes = new Map([...specialIpv4Ranges, ...specialIpv6Ranges]);
// asked in this order, of which the first that fits counts
const blocks = Object.fromEntries([...purposes.keys()].map((block) => [block, ipaddr.parseCIDR(block)]));

/** Judges one literal address; a spelling that is not plainly an address is never reachable. */
export function judgeAddress(text: string): AddressJudgement {
  if (isIPv4(text)) return judge(ipaddr.IPv4.parse(text));
  // ipaddr.js reads ::1.2.3.4 as ::ffff:1.2.3.4, so the spelling is unfolded by the URL parser first
  const unfolded = isIPv6(text) ? URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) : undefined;
  // the URL parser also refuses a zone, which names a network card of this machine
  if (unfolded === undefined) return { kind: "unreadable", reason: "it is not a plain IP address" };
  const address = ipaddr.IPv6.parse(unfolded);
  return judge(address.isIPv4MappedAddress() ? address.toIPv4Address() : address);
}

function judge(parsed: ipaddr.IPv4 | ipaddr.IPv6): AddressJudgement {
  const isIpv4 = parsed instanceof ipaddr.IPv4;
  const address = isIpv4 ? parsed.toString() : parsed.toRFC5952String();
  const listed = purposes.get(ipaddr.subnetMatch(parsed, blocks, "none"));
  const purpose = listed ?? (isIpv4 ? undefined : purposeByShape(parsed.parts));
  if (purpose === undefined) return { kind: "public", address };
  return { kind: "special", address, reason: `${address} is not on the public internet (${purpose})` };
}

function purposeByShape(parts: readonly number[]): string | undefined {
  const [first = 0, , , , fifth = 0, sixth = 0] = parts;
  // only 2000::/3 has ever been given out; what IANA may add later is not reachable today
  if (first >> 13 !== 1) return "unassigned";
  // an ISATAP interface id carries an IPv4 address that the machine may tunnel to
  if ((fifth & 0xfdff) === 0 && sixth === 0x5efe) return "ISATAP";
  return undefined;
}
