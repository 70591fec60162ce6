import type { AskModel } from "../../contract/ask-model.ts";
import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { WebBase } from "../web/web-tools.ts";

/** Reading widely on the web by a reader that has nothing to tell. */
export const researchRoom: RoomDefinition<WebBase & Pick<RoomBase, "redact"> & { askModel: AskModel }> = {
  name: "research",
  async open(base) {
    const { settings, world, redact } = base;
    const { openWebTools } = await import("../web/web-tools.ts");
    const { researchTool } = await import("./research-tool.ts");
    const web = openWebTools(base);
    // nobody can be asked in the middle of it, so what the owner wants to be asked about is not done
    const mayUse = (name: string) => !["ask", "deny"].includes(settings.guard.tools[name] ?? "");
    const whyNoSearch = mayUse("web_search")
      ? await web.whyNoSearch()
      : "The owner does not let web_search run freely.";
    const tool = researchTool({
      ...{ ask: base.askModel, world, redact, whyNoSearch, thinking: settings.agent.thinking },
      webTools: (onPage) => web.fresh({ onPage }).filter(({ name }) => name !== "web_search" || !whyNoSearch),
    });
    return { tools: async () => (mayUse("web_fetch") ? [tool] : []) };
  },
};
