// The checks that every request and every WebSocket upgrade passes before anybody asks who it is.
import type { IncomingMessage } from "node:http";
import type { TrustedProxies } from "./client-address.ts";
import type { OwnHosts } from "./own-hosts.ts";
import { foreignPage, invalid, type Refusal } from "./refusal.ts";
import { type RequestTarget, readTarget } from "./request-target.ts";

export type ExaminedRequest = {
  target: RequestTarget;
  from: string;
  secure: boolean;
  /** A link on somebody else's page led here: the page may be shown, and nothing else. */
  pageOnly: boolean;
};

export type RequestRules = { hosts: OwnHosts; proxies: TrustedProxies; publicUrl: string | undefined };

export function examineRequest(rules: RequestRules, request: IncomingMessage): ExaminedRequest | Refusal {
  const target = readTarget(request.url ?? "");
  if ("problem" in target) return invalid(target.problem);
  const forwarded = rules.proxies.read(request.socket.remoteAddress, request.headers);
  const host = forwarded.forwardedHost ?? readHost(request);
  if (host === undefined || !rules.hosts.isOwnHost(host, request.socket.localAddress))
    return {
      status: 421,
      code: "forbidden",
      message: "This Steward does not go by that name. Names it may be called by stand in gateway.allowedHosts.",
    };
  // a browser says which page asks; only our own may (CSRF, cross-site WebSocket hijacking)
  const { origin } = request.headers;
  if (origin !== undefined && !rules.hosts.isOwnOrigin(origin, host, forwarded.secure))
    return { status: 403, code: "forbidden", message: "Only Steward's own page may ask this from a browser." };
  const ownPage = comesFromOwnPage(request);
  if (!ownPage && !isNavigation(request)) return foreignPage;
  const isPublic = rules.publicUrl !== undefined && new URL(rules.publicUrl).host === host.toLowerCase();
  return {
    target,
    from: forwarded.from,
    secure: forwarded.secure ?? (isPublic && rules.publicUrl?.startsWith("https:") === true),
    pageOnly: !ownPage,
  };
}

// two Host headers are two opinions about where this goes (request smuggling)
function readHost(request: IncomingMessage): string | undefined {
  const hosts = request.headersDistinct.host ?? [];
  return hosts.length === 1 ? hosts[0] : undefined;
}

// another port of this machine is the same site, and as foreign as any other
function comesFromOwnPage(request: IncomingMessage): boolean {
  const site = request.headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}

function isNavigation(request: IncomingMessage): boolean {
  const { headers, method } = request;
  return method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}
