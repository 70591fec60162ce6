// Under which names this Steward may be spoken to: what defeats pages that point their own name at this machine (DNS rebinding).
import { isIPv6 } from "node:net";

export type OwnHosts = ReturnType<typeof ownHosts>;

export type OwnHostDeps = {
  host: string;
  /** 0: any free port. */
  port: number;
  allowedHosts: readonly string[];
  publicUrl: string | undefined;
};

export function ownHosts(deps: OwnHostDeps) {
  const { port } = deps;
  const publicUrl = deps.publicUrl === undefined ? undefined : new URL(deps.publicUrl);
  const everywhere = isWildcard(deps.host);
  const direct = new Set(["127.0.0.1", "localhost", "[::1]"].flatMap((name) => withPort(name, port)));
  if (!everywhere) for (const host of withPort(inUrl(deps.host), port)) direct.add(host);
  // a name without a port may also stand behind a proxy on the usual ports
  const allowed = new Set(
    deps.allowedHosts.flatMap((entry) => {
      const name = inUrl(entry.toLowerCase());
      return /:\d+$/.test(name) ? [name] : [name, `${name}:${port}`];
    }),
  );
  const isDirect = (host: string, localAddress: string | undefined) =>
    direct.has(host) ||
    (everywhere && localAddress !== undefined && withPort(inUrl(localAddress), port).includes(host));

  return {
    /** `localAddress`: the one of our own addresses that the client has reached. */
    isOwnHost(host: string, localAddress: string | undefined): boolean {
      const name = host.toLowerCase();
      return name === publicUrl?.host || allowed.has(name) || isDirect(name, localAddress);
    },
    /** Whether a page of this origin was served by us under the very name that this request uses. */
    isOwnOrigin(origin: string, host: string, secure: boolean | undefined): boolean {
      const name = host.toLowerCase();
      if (name === publicUrl?.host && origin === publicUrl.origin) return true;
      if (secure !== undefined) return origin === `${secure ? "https" : "http"}://${name}`;
      // a proxy we know nothing of may speak https for the names that the settings allow
      return origin === `http://${name}` || (allowed.has(name) && origin === `https://${name}`);
    },
  };
}

/** The address that a person on this machine types. */
export function pageUrl(deps: { host: string; port: number; publicUrl: string | undefined }): string {
  if (deps.publicUrl !== undefined) return new URL(deps.publicUrl).origin;
  return `http://${isWildcard(deps.host) ? "127.0.0.1" : inUrl(deps.host)}:${deps.port}`;
}

function withPort(name: string, port: number): readonly string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}

function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
