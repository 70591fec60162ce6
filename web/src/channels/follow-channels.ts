// Channels change by events and by silence: what happened is looked at soon after, the age of a sign of life every few seconds.
import type { Event } from "../../../src/contract/event.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import type { Timers } from "../gateway/timers.ts";

const settleMs = 150;
const lookMs = 4_000;

/** `look` is called a moment after something happened, every few seconds, and when the connection is back; what is returned ends it. */
export function followChannels(
  link: Pick<GatewayLink, "follow" | "state">,
  timers: Timers,
  look: () => Promise<void>,
): () => void {
  let stopWaiting = () => {};
  let isOver = false;
  let isLooking = false;
  let isNews = false;
  wait(lookMs);
  const unfollow = link.follow((followed) => {
    if ("seq" in followed && concernsChannels(followed)) wait(settleMs);
  });
  const unsubscribe = link.state.subscribe((state) => {
    if (state === "open") wait(settleMs);
  });
  return () => {
    isOver = true;
    stopWaiting();
    unfollow();
    unsubscribe();
  };

  // the next look begins when this one is answered, so that a slow gateway is not asked twice
  function wait(ms: number): void {
    if (isLooking) {
      isNews = true;
      return;
    }
    stopWaiting();
    stopWaiting = timers.after(ms, begin);
  }

  function begin(): void {
    if (link.state.value !== "open") {
      wait(lookMs);
      return;
    }
    isLooking = true;
    isNews = false;
    void look().finally(() => {
      isLooking = false;
      if (!isOver) wait(isNews ? settleMs : lookMs);
    });
  }
}

function concernsChannels(event: Event): boolean {
  switch (event.type) {
    case "person.allowed":
    case "person.removed":
    case "group.registered":
    case "group.changed":
    case "group.removed":
    case "channel.lost":
    case "channel.found":
    case "chat.met":
    case "settings.changed":
      return true;
    default:
      return false;
  }
}
