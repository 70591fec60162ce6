import { z } from "zod";
import { defineTool, type Tool, type ToolResult } from "../../../contract/tool.ts";
import { readsOnly } from "../../reads-only.ts";
import { type FetchPage, type PageOutcome, userAgent } from "../fetch-page.ts";
import { decodeEntities } from "../reader/decode-entities.ts";
import { tidyText, wrapUntrusted } from "../reader/tidy-text.ts";
import { type FoundPage, type SearchProvider, searchProviders } from "./search-provider.ts";
import type { SearchSettings } from "./search-settings.ts";

export type SearchToolDeps = {
  /** Guarded like every other fetch, save for what `searchAddressException` allows. */
  fetchSearch: FetchPage;
  search: SearchSettings;
  /** The value of a key such as BRAVE_API_KEY, wherever it is kept. */
  readKey(name: string): Promise<string | undefined>;
  version: string;
  world: { newId(prefix: string): string };
};

const label = "web:search";
const usualCount = 8;
const mostFound = 20;
const longestTitle = 150;
const longestSnippet = 400;
const longestUrl = 500;
const limits = { maxBytes: 2 * 1024 * 1024, timeoutMs: 20_000, maxDecompressionRatio: 100 };

const SearchArguments = z.object({
  query: z.string().trim().min(1).max(400),
  count: z.number().int().min(1).max(mostFound).optional().describe(`Results, usually ${usualCount}`),
});

export function searchTool(deps: SearchToolDeps): Tool {
  return defineTool({
    name: "web_search",
    description: "Search the web: titles, URLs and snippets. Read a result with web_fetch.",
    arguments: SearchArguments,
    ...readsOnly,
    tells: ({ query, count }) => [
      { kind: "words", text: query },
      ...(count === undefined ? [] : [{ kind: "choice", of: mostFound } as const]),
    ],
    formatApproval: (args) => `Search the web for ${args.query}`,
    run: (context, args) => search(deps, { ...args, count: args.count ?? usualCount, signal: context.signal }),
  });
}

export async function whyNoSearch(deps: SearchToolDeps): Promise<string | undefined> {
  const chosen = await chooseProvider(deps);
  return typeof chosen === "string" ? chosen : undefined;
}

async function search(
  deps: SearchToolDeps,
  wish: { query: string; count: number; signal: AbortSignal },
): Promise<ToolResult> {
  const chosen = await chooseProvider(deps);
  if (typeof chosen === "string") return { outcome: "failed", output: chosen };
  const { provider, key } = chosen;
  const { headers, ...request } = provider.request({ ...wish, url: deps.search.url, key });
  const outcome = await deps.fetchSearch({
    ...request,
    headers: { ...headers, "user-agent": userAgent(deps.version) },
    signal: wish.signal,
    // an exception for one private address must not be carried on to the next one
    limits: deps.search.allowPrivateAddress ? { ...limits, maxRedirects: 0 } : limits,
  });
  const found = readOutcome(provider, outcome);
  const labels = outcome.connected.length > 0 ? [label] : [];
  if (typeof found === "string") return { outcome: "failed", output: tidyText(found), labels };
  const pages = readableOf(found, wish.count);
  if (pages.length === 0) return { outcome: "done", output: "The search found nothing. Try other words.", labels };
  const output = wrapUntrusted(formatFound(pages), deps.world.newId("web"));
  return { outcome: "done", output, labels, links: pages.map(({ url }) => url) };
}

/** Whom to ask and with which key, or a sentence that says what is missing. */
async function chooseProvider(deps: SearchToolDeps): Promise<{ provider: SearchProvider; key: string } | string> {
  const { provider: name, url } = deps.search;
  if (name === null) {
    const choices = "searxng (with search.url), brave (with BRAVE_API_KEY) or tavily (with TAVILY_API_KEY)";
    return `Web search is not set up. The owner can set search.provider in config.json to ${choices}.`;
  }
  if (name === "searxng" && url === null)
    return "Web search needs the place of SearXNG: the owner must set search.url.";
  const provider = searchProviders[name];
  const key = provider.keyName === undefined ? "" : await deps.readKey(provider.keyName);
  return key === undefined
    ? `${provider.shownName} needs a key: the owner must provide ${provider.keyName}.`
    : { provider, key };
}

/** The pages that were found, or a sentence that says why there are none. */
function readOutcome(provider: SearchProvider, outcome: PageOutcome) {
  const { shownName } = provider;
  if (outcome.kind === "refused") return `${shownName} cannot be asked: ${outcome.reason}.`;
  if (outcome.kind === "failed") return `${shownName} did not answer: ${outcome.reason}.`;
  if (outcome.status !== 200) return explainStatus(provider, outcome.status, outcome.headers["retry-after"]);
  const found = provider.answer.safeParse(parseJson(outcome.body));
  return found.data ?? `${shownName} sent something that is not a list of results. Check search.url.`;
}

function explainStatus({ shownName, keyName }: SearchProvider, status: number, retryAfter: string | undefined): string {
  const answered = `${shownName} answered ${status}`;
  if (status === 429) {
    const wait = /^\d{1,6}$/.test(retryAfter ?? "") ? `in ${retryAfter} seconds` : "later";
    return `${answered}: too many searches. Try again ${wait}.`;
  }
  if (status === 401 || status === 403) {
    if (keyName !== undefined) return `${answered}: it does not accept the key in ${keyName}.`;
    return `${answered}: it does not give out JSON. Add json to search.formats in its settings.yml.`;
  }
  if (status === 432 || status === 433) return `${answered}: the plan of the key is used up.`;
  return status >= 500 ? `${answered}: it has trouble of its own. Try again later.` : `${answered}.`;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // told to the model as an answer that makes no sense
    return undefined;
  }
}

/** What has no web address is left out. */
function readableOf(found: readonly FoundPage[], count: number): readonly FoundPage[] {
  return found
    .flatMap((page) => {
      const url = URL.parse(page.url);
      return url && /^https?:$/.test(url.protocol) && url.href.length <= longestUrl ? [{ ...page, url: url.href }] : [];
    })
    .slice(0, count);
}

/** A numbered list of title, URL and snippet. */
function formatFound(pages: readonly FoundPage[]): string {
  return pages
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
