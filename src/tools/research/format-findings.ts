import { count } from "../../contract/words/amounts.ts";
import { tidyText, wrapUntrusted } from "../web/reader/tidy-text.ts";
import type { Reading } from "./open-reading.ts";
import type { ResearchEnd, Source } from "./research.ts";

type FindingsDeps = { whyNoSearch: string | undefined; world: { newId(prefix: string): string } };

/** What was done in our own words, then what strangers may have had a say in, marked as such. */
export function formatFindings(end: ResearchEnd, reading: Reading, { whyNoSearch, world }: FindingsDeps): string {
  const noSearch = whyNoSearch && `It could only begin with the addresses it was given. ${whyNoSearch}`;
  const head = [countsOf(reading), end.trouble, searchTroubleOf(reading), noSearch].filter(Boolean).join(" ");
  const found = findingsOf(end, reading);
  return found === "" ? head : `${head}\n${wrapUntrusted(tidyText(found), world.newId("web"))}`;
}

export function findingsOf(end: ResearchEnd, reading: Reading): string {
  return [end.report ?? notesOf(end), sourcesOf(reading.sources())].filter((part) => part !== "").join("\n\n");
}

function countsOf(reading: Reading): string {
  const { unread, searches } = reading.counts();
  const parts = [`${count(reading.sources().length, "page")} read`];
  if (unread > 0) parts.push(`${unread} could not be read`);
  if (searches > 0) parts.push(count(searches, "search", "searches"));
  return `${parts.join(", ")}.`;
}

function searchTroubleOf(reading: Reading): string | undefined {
  const trouble = reading.searchTrouble();
  return trouble && `The search had trouble: ${trouble}`;
}

function notesOf({ notes }: ResearchEnd): string {
  return notes.length === 0 ? "" : `There is no report. What the reader noted on the way:\n\n${notes.join("\n\n")}`;
}

function sourcesOf(sources: readonly Source[]): string {
  if (sources.length === 0) return "";
  return ["Sources:", ...sources.map(({ number, title, url }) => `[${number}] ${title}\n    ${url}`)].join("\n");
}
