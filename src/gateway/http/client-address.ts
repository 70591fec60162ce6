import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { Failure } from "../../contract/failure.ts";
import { plainAddress } from "../access/address-group.ts";

/** What is known of the way a request took; X-Forwarded-* counts only from a proxy that the settings name. */
export type Forwarded = { from: string; forwardedHost: string | undefined; secure: boolean | undefined };
export type TrustedProxies = ReturnType<typeof openTrustedProxies>;

/** `trustedProxies`: addresses, or ranges such as 10.0.0.0/8. */
export function openTrustedProxies(trustedProxies: readonly string[]) {
  const proxies = readProxies(trustedProxies);
  const isProxy = (address: string | undefined) => {
    const plain = plainAddress(address ?? "");
    return isIP(plain) !== 0 && proxies.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
  return {
    isProxy,
    read(peer: string | undefined, headers: IncomingHttpHeaders): Forwarded {
      const address = plainAddress(peer ?? "");
      if (!isProxy(peer)) return { from: address, forwardedHost: undefined, secure: undefined };
      const protocol = lastOf(headers["x-forwarded-proto"]);
      return {
        from: clientBehind(headers["x-forwarded-for"]) ?? address,
        forwardedHost: lastOf(headers["x-forwarded-host"]),
        secure: protocol === undefined ? undefined : protocol === "https",
      };
    },
  };

  // proxies add to the right; what stands left of the first address we do not trust may be invented (IP spoofing)
  function clientBehind(header: string | string[] | undefined): string | undefined {
    const addresses = listOf(header).map(plainAddress);
    const client = addresses.findLast((address) => !isProxy(address));
    return client !== undefined && isIP(client) !== 0 ? client : undefined;
  }
}

function readProxies(trustedProxies: readonly string[]): BlockList {
  const proxies = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = "", bits, ...more] = proxy.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    const widest = family === "ipv6" ? 128 : 32;
    if (
      isIP(address) === 0 ||
      more.length > 0 ||
      (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= widest))
    )
      throw new Failure(
        `gateway.trustedProxies holds "${proxy}", which is neither an address such as 10.0.0.5 nor a range such as 10.0.0.0/8.`,
      );
    proxies.addSubnet(address, bits === undefined ? widest : Number(bits), family);
  }
  return proxies;
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return listOf(header).at(-1)?.toLowerCase();
}

function listOf(header: string | string[] | undefined): readonly string[] {
  return String(header ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
