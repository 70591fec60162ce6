import type { GatewayLink } from "../gateway/gateway-link.ts";
import { openWatched, type Watched } from "../state/watched.ts";

/** True while the small offline model answers because nobody has connected a real one. */
export function openNeedsModel(link: GatewayLink): Watched<boolean> {
  const needsModel = openWatched(false);
  link.state.subscribe((state) => {
    if (state === "open") void read();
  });
  link.follow((followed) => {
    if (followed.type === "settings.changed") void read();
  });
  return needsModel;

  async function read(): Promise<void> {
    try {
      needsModel.set((await link.call("models.list", {})).chosen.startsWith("offline/"));
    } catch {
      // a hint that cannot be given is left out; a lost connection is said elsewhere
    }
  }
}
