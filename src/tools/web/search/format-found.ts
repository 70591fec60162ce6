import { decodeEntities } from "../reader/decode-entities.ts";
import { tidyText } from "../reader/tidy-text.ts";
import type { FoundPage } from "./search-provider.ts";

const longestTitle = 150;
const longestSnippet = 400;
const longestUrl = 500;

/** A numbered list of title, URL and snippet; what has no web address is left out. */
export function formatFound(found: readonly FoundPage[], count: number): string {
  return found
    .flatMap((page) => {
      const url = URL.parse(page.url);
      return url && /^https?:$/.test(url.protocol) && url.href.length <= longestUrl ? [{ ...page, url: url.href }] : [];
    })
    .slice(0, count)
    .map((page, index) => {
      const lines = [plainWords(page.title, longestTitle) || "(no title)", page.url];
      const snippet = plainWords(page.snippet, longestSnippet);
      return `${index + 1}. ${[...lines, ...(snippet ? [snippet] : [])].join("\n   ")}`;
    })
    .join("\n");
}

// providers mark the words that matched with HTML
function plainWords(html: string, longest: number): string {
  const words = decodeEntities(html.replace(/<\/?[a-z][^<>]{0,200}>/gi, ""), () => undefined);
  const tidy = tidyText(words).replace(/\s+/g, " ").trim();
  return tidy.length > longest ? `${tidy.slice(0, longest).toWellFormed()}…` : tidy;
}
