import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { type SpecialRange, specialIpv4Ranges, specialIpv6Ranges } from "./special-ranges.ts";

/** The address in its one canonical spelling, or why nobody may be sent there. */
export type AddressJudgement =
  | { kind: "public"; address: string }
  | { kind: "special"; address: string; reason: string }
  | { kind: "unreadable"; reason: string };

type Block<Address> = { network: Address; prefixBits: number; purpose: string };

const ipv4Blocks = specialIpv4Ranges.map((range) => readBlock(range, (block) => ipaddr.IPv4.parseCIDR(block)));
const ipv6Blocks = specialIpv6Ranges.map((range) => readBlock(range, (block) => ipaddr.IPv6.parseCIDR(block)));

/** Judges one literal address; a spelling that is not plainly an address is never reachable. */
export function judgeAddress(text: string): AddressJudgement {
  if (isIPv4(text)) return judgeIpv4(ipaddr.IPv4.parse(text));
  // ipaddr.js reads ::1.2.3.4 as ::ffff:1.2.3.4, so the spelling is unfolded by the URL parser first
  const unfolded = isIPv6(text) ? URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) : undefined;
  // the URL parser also refuses a zone, which names a network card of this machine
  if (unfolded === undefined) return { kind: "unreadable", reason: "it is not a plain IP address" };
  return judgeIpv6(ipaddr.IPv6.parse(unfolded));
}

function judgeIpv4(address: ipaddr.IPv4): AddressJudgement {
  return judgement(
    address.toString(),
    ipv4Blocks.find((block) => address.match(block.network, block.prefixBits))?.purpose,
  );
}

function judgeIpv6(address: ipaddr.IPv6): AddressJudgement {
  if (address.isIPv4MappedAddress()) return judgeIpv4(address.toIPv4Address());
  const block = ipv6Blocks.find(({ network, prefixBits }) => address.match(network, prefixBits));
  return judgement(address.toRFC5952String(), block?.purpose ?? purposeByShape(address.parts));
}

function purposeByShape(parts: readonly number[]): string | undefined {
  const [first = 0, , , , fifth = 0, sixth = 0] = parts;
  // only 2000::/3 has ever been given out; what IANA may add later is not reachable today
  if (first >> 13 !== 1) return "unassigned";
  // an ISATAP interface id carries an IPv4 address that the machine may tunnel to
  if ((fifth & 0xfdff) === 0 && sixth === 0x5efe) return "ISATAP";
  return undefined;
}

function judgement(address: string, purpose: string | undefined): AddressJudgement {
  if (purpose === undefined) return { kind: "public", address };
  return { kind: "special", address, reason: `${address} is not on the public internet (${purpose})` };
}

function readBlock<Address>(range: SpecialRange, parse: (block: string) => [Address, number]): Block<Address> {
  const [network, prefixBits] = parse(range[0]);
  return { network, prefixBits, purpose: range[1] };
}
