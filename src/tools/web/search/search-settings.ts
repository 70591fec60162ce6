import type { Settings } from "../../../contract/settings.ts";

export type SearchSettings = Settings["search"];

/** Which address that is not public a search may speak to: the configured one, if the owner says so; else none. */
export function searchAddressException(
  settings: SearchSettings,
): ((address: string, port: number) => boolean) | undefined {
  const url = settings.url === null ? null : URL.parse(settings.url);
  if (!settings.allowPrivateAddress || !url) return undefined;
  const configuredPort = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const host = placeOf(url).hostname.replace(/^\[|\]$/g, "");
  const isLiteral = /^[\d.]+$/.test(host) || host.includes(":");
  return (address, port) => port === configuredPort && (!isLiteral || address === host);
}

/** The address guard takes no local names, so the one that everybody writes becomes the address it stands for. */
export function placeOf(configured: string | URL): URL {
  const url = new URL(configured);
  if (url.hostname === "localhost") url.hostname = "127.0.0.1";
  return url;
}
