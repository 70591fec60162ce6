import type { RoomDefinition } from "../../contract/room/room.ts";
import type { WebBase } from "./web-tools.ts";

/** Fetching pages and searching the web. */
export const webRoom: RoomDefinition<WebBase> = {
  name: "web",
  async open(base) {
    const { openWebTools } = await import("./web-tools.ts");
    const tools = openWebTools(base).fresh();
    return { tools: async () => tools };
  },
};
