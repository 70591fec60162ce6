// The browser's only way out: every connection of every frame, worker and socket goes through the checked proxy.
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { openCheckedProxy, type ProxyClient, type Refused } from "../../proxy/checked-proxy.ts";
import type { CheckAddress } from "../../proxy/reach-checked.ts";

/** What one conversation's pages show to the proxy; nobody else on the machine can use it. */
export type ProxyPass = { username: string; password: string; revoke(): void };

export type BrowserProxy = Awaited<ReturnType<typeof openBrowserProxy>>;

type Holder = ProxyClient & { header: Buffer };

export async function openBrowserProxy({ checkAddress }: { checkAddress: CheckAddress }) {
  const holders = new Map<string, Holder>();
  const clientOf = (incoming: IncomingMessage) => holderOf(holders, incoming.headers["proxy-authorization"]);
  const { server, close } = await openCheckedProxy({ clientOf, saysWhy: false }, { port: 0, host: "127.0.0.1" });
  return { port: (server.address() as AddressInfo).port, admit, close };

  function admit(onRefused: (refused: Refused) => void): ProxyPass {
    const username = randomBytes(8).toString("hex");
    const password = randomBytes(24).toString("hex");
    const header = Buffer.from(`Basic ${btoa(`${username}:${password}`)}`);
    holders.set(username, { header, onRefused, check: ({ url }, signal) => checkAddress(url, signal) });
    return { username, password, revoke: () => void holders.delete(username) };
  }
}

function holderOf(holders: ReadonlyMap<string, Holder>, shownHeader = ""): Holder | undefined {
  const shown = Buffer.from(shownHeader);
  const [username = ""] = Buffer.from(shownHeader.replace(/^Basic /, ""), "base64")
    .toString()
    .split(":");
  const holder = holders.get(username);
  return holder && holder.header.length === shown.length && timingSafeEqual(holder.header, shown) ? holder : undefined;
}
