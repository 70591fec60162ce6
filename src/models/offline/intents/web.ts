import { call, type Intent } from "../intent.ts";
import { fenced, tell, unquote } from "../wording.ts";

export const web: readonly Intent[] = [
  {
    task: "Fetching a page",
    tools: ["web_fetch"],
    example: "fetch https://example.com",
    patterns: [
      /^(?:fetch|get|open|read|load|visit|show(?: me)?|download|go to|look at|check|summari[sz]e)\s+(?:(?:the|this|that)\s+)?(?:web\s?)?(?:page\s+|site\s+|url\s+|link\s+|address\s+)?(?:at\s+|of\s+|from\s+)?(?<url><?https?:\/\/\S+)$/i,
      /^what(?:'s|’s| is| does)\s+(?:on\s+|at\s+)?(?<url>https?:\/\/\S+?)(?:\s+say)?[\s?]*$/i,
      /^(?:fetch|visit|go to)\s+(?:(?:the|this)\s+)?(?:web\s?)?(?:page\s+|site\s+)?(?:at\s+)?(?<url>[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/\S*)?)$/i,
      /^(?<url>https?:\/\/\S+)$/i,
    ],
    next: (words, done) => {
      const written = (words.url ?? "").replace(/^</, "").replace(/[>.,;!?)"']+$/, "");
      const url = /^https?:/i.test(written) ? written : `https://${written}`;
      const [fetched] = done;
      if (!fetched) return call("web_fetch", { url });
      return tell(fetched, (output) => `This is what ${url} says:\n${fenced(output)}`);
    },
  },
  {
    task: "Searching the web",
    tools: ["web_search"],
    example: "search the web for train times",
    patterns: [
      /^(?:search|look|browse)(?: on)? (?:the )?(?:web|internet|net|online)(?: for)?\s*:?\s+(?<query>\S.*?)[\s.?!]*$/i,
      /^(?:google|web search(?: for)?)\s*:?\s+(?<query>\S.*?)[\s.?!]*$/i,
    ],
    next: (words, done) => {
      const query = unquote(words.query ?? "");
      const [found] = done;
      if (!found) return call("web_search", { query });
      return tell(found, (output) => `This is what I found about “${query}”:\n${fenced(output)}`);
    },
  },
];
