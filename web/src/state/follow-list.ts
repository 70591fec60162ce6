// A list that is read once and kept by the events from then on.
import type { Event } from "../../../src/contract/event.ts";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";
import { openWatched, type Watched } from "./watched.ts";

export type ListSource<Item> = {
  read(): Promise<readonly Item[]>;
  /** Must leave a list alone that already knows the event: events told during the reading are folded over its answer. */
  fold(items: readonly Item[], event: Event): readonly Item[];
};

export type FollowedList<Item> = Watched<readonly Item[]> & { loaded: Watched<boolean> };

export function followList<Item>(link: GatewayLink, source: ListSource<Item>): FollowedList<Item> {
  const items = openWatched<readonly Item[]>([]);
  const loaded = openWatched(false);
  let meanwhile: Event[] = [];
  let isReading = false;

  link.follow((followed) => {
    if (!("seq" in followed)) return;
    if (!loaded.value) meanwhile.push(followed);
    items.set(source.fold(items.value, followed));
  });
  link.state.subscribe((state) => {
    if (state === "open") void readOnce();
  });
  if (link.state.value === "open") void readOnce();
  return {
    get value() {
      return items.value;
    },
    subscribe: items.subscribe,
    loaded,
  };

  async function readOnce(): Promise<void> {
    if (loaded.value || isReading) return;
    isReading = true;
    try {
      const read = await source.read();
      items.set(meanwhile.reduce(source.fold, read));
      loaded.set(true);
      meanwhile = [];
    } catch (cause) {
      if (!(cause instanceof CallFailed)) throw cause;
      // a broken connection reads again when it is back; what this caller may not see stays empty
      if (cause.code === "forbidden") loaded.set(true);
    } finally {
      isReading = false;
    }
  }
}
