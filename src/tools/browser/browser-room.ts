import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { BrowserDeps } from "./browser-tools.ts";

export type BrowserBase = Pick<RoomBase, "home" | "world" | "trouble"> & {
  network: { resolveUrl: BrowserDeps["checkAddress"] };
};

/** Looking at pages and acting on them in a browser of Steward's own. */
export const browserRoom: RoomDefinition<BrowserBase> = {
  name: "browser",
  async open({ home, world, trouble, network }) {
    const { browserTools } = await import("./browser-tools.ts");
    const { tools, forget, close } = browserTools({
      folder: join(home, "data", "browser"),
      temporaryFolder: tmpdir(),
      checkAddress: network.resolveUrl,
      nowMs: world.nowMs,
      onTrouble: trouble,
    });
    return { tools: async () => tools, forget, close };
  },
};
