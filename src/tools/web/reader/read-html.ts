import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import type { NamedEntity } from "./decode-entities.ts";
import { type Markdown, toMarkdown } from "./to-markdown.ts";
import { tokenizeHtml } from "./tokenize-html.ts";

// beyond this the document tree costs more memory and time than any page is worth
const mostElements = 15_000;
const furniture = new Set(["nav", "footer", "aside", "button"]);
// a page that is all menu is better shown with its menu than not at all
const almostNothing = 200;
const mostNamesLookedUp = 3_000;

/** The article of a page as Markdown; without one, or without a wish for one, the whole page. */
export function readHtml(
  html: string,
  { url, wantsArticle, maxCharacters }: { url: string; wantsArticle: boolean; maxCharacters: number },
): Markdown {
  const usual = { baseUrl: url, named: openNamedEntities(), dropped: new Set<string>(), maxCharacters };
  const article = wantsArticle && isWithin(html, mostElements) ? extractArticle(html) : undefined;
  if (article) {
    const read = toMarkdown(article.html, usual);
    if (read.text !== "") return { ...read, title: article.title };
  }
  const body = toMarkdown(html, { ...usual, dropped: furniture });
  return body.text.length >= almostNothing ? body : toMarkdown(html, usual);
}

function isWithin(html: string, most: number): boolean {
  let count = 0;
  for (const token of tokenizeHtml(html)) if (token.kind === "open" && ++count > most) return false;
  return true;
}

/** What a reader came for, without menus and advertisements; nothing when the page holds no article. */
function extractArticle(html: string): { title: string; html: string } | undefined {
  const { document } = parseHTML(html);
  if (!document.documentElement || !isProbablyReaderable(document)) return undefined;
  // structured data in scripts may say anything about the page, so only what is shown counts
  const article = new Readability(document, { disableJSONLD: true }).parse();
  if (!article?.content) return undefined;
  return { title: article.title?.trim() ?? "", html: article.content };
}

/** The parser knows all two thousand names; each is asked for once, and a page that makes them up is not followed far. */
function openNamedEntities(): NamedEntity {
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
