import { z } from "zod";

export const SearchSettings = z
  .strictObject({
    provider: z
      .enum(["searxng", "brave", "tavily"])
      .nullable()
      .default(null)
      .describe("Who answers web_search: your own SearXNG, or Brave or Tavily with a key. Null: no web search."),
    url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe("Where SearXNG is, such as http://127.0.0.1:8888. Brave and Tavily have a usual place."),
    allowPrivateAddress: z
      .boolean()
      .default(false)
      .describe("The url may be on this machine or in its own network, as a SearXNG of your own mostly is."),
  })
  .describe("Web search.");
export type SearchSettings = z.infer<typeof SearchSettings>;

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
