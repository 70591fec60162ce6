import { extractArticle, openNamedEntities } from "./extract-article.ts";
import { type Markdown, toMarkdown } from "./to-markdown.ts";
import { tokenizeHtml } from "./tokenize-html.ts";

// beyond this the document tree costs more memory and time than any page is worth
const mostElements = 15_000;
const furniture = new Set(["nav", "footer", "aside", "button"]);
// a page that is all menu is better shown with its menu than not at all
const almostNothing = 200;

/** The article of a page as Markdown; without one, or without a wish for one, the whole page. */
export function readHtml(
  html: string,
  options: { url: string; wantsArticle: boolean; maxCharacters: number },
): Markdown {
  const usual = {
    baseUrl: options.url,
    named: openNamedEntities(),
    dropped: new Set<string>(),
    maxCharacters: options.maxCharacters,
  };
  const article = options.wantsArticle && isWithin(html, mostElements) ? extractArticle(html) : undefined;
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
