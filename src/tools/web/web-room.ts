import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { PageOutcome, PageRequest } from "./fetch-page.ts";
import type { searchAddressException } from "./search/search-settings.ts";

export type WebBase = Pick<RoomBase, "version" | "settings" | "environment" | "world"> & {
  network: {
    fetch(exception: ReturnType<typeof searchAddressException>, request: PageRequest): Promise<PageOutcome>;
  };
};

/** Fetching pages and searching the web. */
export const webRoom: RoomDefinition<WebBase> = {
  name: "web",
  async open({ version, settings, environment, world, network }) {
    const { webTools } = await import("./web-tools.ts");
    const { searchAddressException } = await import("./search/search-settings.ts");
    const tools = webTools({
      version,
      fetchPage: (request) => network.fetch(undefined, request),
      fetchSearch: (request) => network.fetch(searchAddressException(settings.search), request),
      world,
      search: settings.search,
      readKey: async (name) => environment[name],
    });
    return { tools: async () => tools };
  },
};
