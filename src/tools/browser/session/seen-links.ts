/**
 * Addresses that pages have offered as links. Following one word for word tells its server nothing that its page did not
 * already know, so it needs no question; an address that was put together may carry anything.
 */
export type SeenLinks = { add(urls: Iterable<string>): void; has(url: string): boolean };

const mostLinks = 5_000;

export function openSeenLinks(): SeenLinks {
  const seen = new Set<string>();
  return {
    add(urls) {
      for (const url of urls) {
        seen.delete(url);
        seen.add(url);
      }
      for (const oldest of seen) {
        if (seen.size <= mostLinks) break;
        seen.delete(oldest);
      }
    },
    has: (url) => seen.has(URL.parse(url)?.href ?? ""),
  };
}
