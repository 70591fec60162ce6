import { z } from "zod";
import type { PageRequest } from "../fetch-page.ts";
import { placeOf } from "./search-settings.ts";

type SearchQuestion = { query: string; count: number; url: string | null; key: string };

export type FoundPage = { title: string; url: string; snippet: string };

export type SearchProvider = {
  shownName: string;
  /** The variable that holds the key, for those that want one. */
  keyName: string | undefined;
  request(question: SearchQuestion): Pick<PageRequest, "url" | "method" | "headers" | "body">;
  /** What this provider's documentation promises. */
  answer: z.ZodType<readonly FoundPage[]>;
};

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const ContentAnswer = z
  .object({ results: z.array(z.object({ url: z.string(), title: text, content: text })) })
  .transform(({ results }) => results.map((found) => ({ ...found, snippet: found.content })));
const BraveAnswer = z
  // the whole part is missing when nothing was found
  .object({
    web: z.object({ results: z.array(z.object({ url: z.string(), title: text, description: text })) }).nullish(),
  })
  .transform(({ web }) => (web?.results ?? []).map((found) => ({ ...found, snippet: found.description })));

const searxng: SearchProvider = {
  shownName: "SearXNG",
  keyName: undefined,
  request({ query, url }) {
    const place = placeOf(url ?? "");
    place.pathname = `${place.pathname.replace(/\/+$/, "").replace(/\/search$/, "")}/search`;
    place.search = new URLSearchParams({ q: query, format: "json" }).toString();
    return { url: place.href, method: "GET", headers: { accept: "application/json" } };
  },
  answer: ContentAnswer,
};

const brave: SearchProvider = {
  shownName: "Brave Search",
  keyName: "BRAVE_API_KEY",
  request({ query, count, url, key }) {
    const place = placeOf(url ?? "https://api.search.brave.com/res/v1/web/search");
    place.search = new URLSearchParams({ q: query, count: String(count) }).toString();
    return { url: place.href, method: "GET", headers: { accept: "application/json", "x-subscription-token": key } };
  },
  answer: BraveAnswer,
};

const tavily: SearchProvider = {
  shownName: "Tavily",
  keyName: "TAVILY_API_KEY",
  request({ query, count, url, key }) {
    const json = "application/json";
    const headers = { accept: json, "content-type": json, authorization: `Bearer ${key}` };
    const body = Buffer.from(JSON.stringify({ query, max_results: count, search_depth: "basic" }));
    return { url: placeOf(url ?? "https://api.tavily.com/search").href, method: "POST", headers, body };
  },
  answer: ContentAnswer,
};

export const searchProviders = { searxng, brave, tavily };
