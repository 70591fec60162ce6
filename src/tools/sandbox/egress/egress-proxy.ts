// Commands' way out: a checked proxy on a Unix socket that lets through what is on the list and adds credentials that the
// command itself never sees.
import { chmodSync, chownSync, rmSync } from "node:fs";
import type { UserIds } from "../../programs/workspace-owner.ts";
import { openCheckedProxy, type ProxyClient } from "../../proxy/checked-proxy.ts";

export type CheckedHost = { ok: true; address: string } | { ok: false; reason: string };

export type EgressDeps = {
  /** At most 107 bytes: the kernel takes no longer path for a socket. */
  socketPath: string;
  allow: readonly string[];
  resolveChecked(host: string, port: number, signal: AbortSignal): Promise<CheckedHost>;
  /** Headers added to plain HTTP requests by host. */
  credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whom the socket belongs to, where commands run as another user than Steward. */
  user?: UserIds;
};

export type EgressProxy = { socketPath: string; close(): Promise<void> };

const maxSocketPathBytes = 107;

export async function openEgressProxy(deps: EgressDeps): Promise<EgressProxy> {
  const { socketPath, user } = deps;
  if (Buffer.byteLength(socketPath) > maxSocketPathBytes)
    throw new Error(`${socketPath} is too long for a socket: at most ${maxSocketPathBytes} bytes`);
  rmSync(socketPath, { force: true });
  // whoever reaches the socket is a command: no pass is needed
  const client = clientFor(deps);
  const { close } = await openCheckedProxy({ clientOf: () => client, saysWhy: true }, { path: socketPath });
  chmodSync(socketPath, 0o600);
  if (user) chownSync(socketPath, user.uid, user.gid);
  return { socketPath, close };
}

function clientFor(deps: EgressDeps): ProxyClient {
  return {
    async check({ host, port }, signal) {
      if (!isAllowedHost(deps.allow, host))
        return { ok: false, reason: `${host} is not on the list of hosts that commands may reach` };
      const checked = await deps.resolveChecked(host, port, signal);
      return checked.ok ? { ok: true, addresses: [checked.address] } : checked;
    },
    headersFor(host) {
      const given = Object.entries(deps.credentials).find(([name]) => name.toLowerCase() === host.toLowerCase())?.[1];
      return Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
    },
  };
}

/** Exact names and `*.suffix`; a suffix does not include the bare domain, nor an address. */
export function isAllowedHost(patterns: readonly string[], host: string): boolean {
  const name = plainName(host);
  if (name === "") return false;
  return patterns.some((pattern) => {
    const wanted = plainName(pattern);
    if (!wanted.startsWith("*.")) return wanted === name;
    return name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1;
  });
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
