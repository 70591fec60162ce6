// The web tools: a URL or a question comes in; text that nobody should obey goes out, marked and labelled as such.
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Tool } from "../../contract/tool.ts";
import type { PageOutcome, PageRequest } from "./fetch-page.ts";
import { type FetchToolDeps, fetchTool } from "./fetch-tool.ts";
import { openPageReader } from "./open-page-reader.ts";
import { searchAddressException } from "./search/search-settings.ts";
import { type SearchToolDeps, searchTool, whyNoSearch } from "./search/search-tool.ts";

export type WebBase = Pick<RoomBase, "version" | "settings" | "environment" | "world"> & {
  network: {
    fetch(exception: ReturnType<typeof searchAddressException>, request: PageRequest): Promise<PageOutcome>;
  };
};

export type WebToolDeps = Omit<FetchToolDeps, "reader"> & Partial<Pick<FetchToolDeps, "reader">> & SearchToolDeps;

export type WebTools = {
  /** Web tools that share no page with any other ones: what they keep tells nothing of what was read elsewhere. */
  fresh(watched?: Pick<FetchToolDeps, "onPage">): readonly Tool[];
  /** A sentence that says what the search lacks, or undefined when it can be used. */
  whyNoSearch(): Promise<string | undefined>;
};

export function openWebTools({ version, settings, environment, world, network }: WebBase): WebTools {
  const deps: WebToolDeps = {
    ...{ version, world, reader: openPageReader(), search: settings.search },
    fetchPage: (request) => network.fetch(undefined, request),
    fetchSearch: (request) => network.fetch(searchAddressException(settings.search), request),
    readKey: async (name) => environment[name],
  };
  return { fresh: (watched) => webTools({ ...deps, ...watched }), whyNoSearch: () => whyNoSearch(deps) };
}

export function webTools(deps: WebToolDeps): readonly Tool[] {
  return [fetchTool({ ...deps, reader: deps.reader ?? openPageReader() }), searchTool(deps)];
}
