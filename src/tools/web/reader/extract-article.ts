import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import type { NamedEntity } from "./decode-entities.ts";

export type Article = { title: string; html: string };

const mostNamesLookedUp = 3_000;

/** What a reader came for, without menus and advertisements; nothing when the page holds no article. */
export function extractArticle(html: string): Article | undefined {
  const { document } = parseHTML(html);
  if (!document.documentElement || !isProbablyReaderable(document)) return undefined;
  // structured data in scripts may say anything about the page, so only what is shown counts
  const article = new Readability(document, { disableJSONLD: true }).parse();
  if (!article?.content) return undefined;
  return { title: article.title?.trim() ?? "", html: article.content };
}

/** The parser knows all two thousand names; each is asked for once, and a page that makes them up is not followed far. */
export function openNamedEntities(): NamedEntity {
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name) && known.size < mostNamesLookedUp) known.set(name, lookUp(name));
    return known.get(name);
  };
}

function lookUp(name: string): string | undefined {
  const written = `&${name};`;
  const character = parseHTML(`<p>${written}</p>`).document.querySelector("p")?.textContent;
  return character === written || character === null ? undefined : character;
}
