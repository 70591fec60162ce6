import { BlockList, isIPv4 } from "node:net";
import { expect, test } from "vitest";
import { judgeAddress } from "./globally-reachable.ts";
import { specialIpv4Ranges, specialIpv6Ranges } from "./special-ranges.ts";

const isGloballyReachable = (address: string) => judgeAddress(address).kind === "public";

test.each([...specialIpv4Ranges, ...specialIpv6Ranges])("the first address of %s (%s) is not reachable", (block) => {
  expect(isGloballyReachable(block.slice(0, block.indexOf("/")))).toBe(false);
});

test("ten thousand IPv4 addresses are judged as Node's own block list judges them", () => {
  const special = new BlockList();
  for (const [block] of specialIpv4Ranges) {
    const [network = "", bits] = block.split("/");
    special.addSubnet(network, Number(bits), "ipv4");
  }
  const different = [];
  // a step that is odd and far from any power of two visits every range
  for (let index = 0, bits = 0; index < 10_000; index++, bits = (bits + 2_654_435_761) % 2 ** 32) {
    const address = [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
    if (isGloballyReachable(address) === special.check(address)) different.push(address);
  }
  expect(different).toEqual([]);
});

test("every public IPv4 address is refused inside each IPv6 form that carries one, but for the mapped form", () => {
  const carriers = ["::8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::8.8.8.8", "2002:808:808::1", "::ffff:0:8.8.8.8"];
  expect(carriers.filter(isGloballyReachable)).toEqual([]);
  expect(judgeAddress("::ffff:8.8.8.8")).toEqual({ kind: "public", address: "8.8.8.8" });
});

test.each([
  "",
  "localhost",
  "8.8.8",
  "08.8.8.8",
  "0x8.8.8.8",
  "8.8.8.8 ",
  "2606:4700::1%eth0",
  "[2606:4700::1]",
  "::1/128",
])("%j is no plain address, so nobody is sent there", (text) => {
  expect(judgeAddress(text).kind).toBe("unreadable");
});

test.each([
  ["169.254.169.254", "link local"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::8.8.8.8", "IPv4-compatible"],
  ["::ffff:0:8.8.8.8", "IPv4-translated"],
  ["64:ff9b::1", "NAT64"],
  ["64:ff9b:1::1", "local NAT64"],
  ["100::1", "discard only"],
  ["100:0:0:1::1", "dummy prefix"],
  ["2001::1", "Teredo"],
  ["2001:2::1", "benchmarking"],
  ["2001:10::1", "ORCHID"],
  ["2001:20::1", "ORCHIDv2"],
  ["5f00::1", "segment routing"],
  ["fd00::1", "unique local"],
  ["fe80::1", "link local"],
  ["fec0::1", "site local"],
  ["ff02::1", "multicast"],
  ["4000::1", "unassigned"],
])("%s is refused as %s", (address, purpose) => {
  const judged = judgeAddress(address);
  expect(judged.kind === "special" && judged.reason).toMatch(`is not on the public internet (${purpose})`);
});

test("addresses come back in one spelling", () => {
  const spellings = ["2606:4700:4700:0:0:0:0:1111", "2606:4700:4700::1111", "2606:4700:4700:0000::1111"];
  const addresses = spellings.map(judgeAddress).map((judged) => judged.kind === "public" && judged.address);
  expect(new Set(addresses)).toEqual(new Set(["2606:4700:4700::1111"]));
  expect(addresses.some((address) => isIPv4(String(address)))).toBe(false);
});
