import type { ReadQuarantined } from "../../contract/ask-model.ts";
import type { RoomDefinition } from "../../contract/room/room.ts";

/** Getting facts out of files that others wrote. */
export const extractRoom: RoomDefinition<{ readQuarantined: ReadQuarantined }> = {
  name: "extract",
  async open({ readQuarantined }) {
    const { extractTool } = await import("./extract-tool.ts");
    const tools = [extractTool({ read: readQuarantined })];
    return { tools: async () => tools };
  },
};
