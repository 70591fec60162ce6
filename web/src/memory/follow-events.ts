// Whether something that has happened changes what is shown, and one look after several such events.
import type { EventType } from "../../../src/contract/event.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import type { Timers } from "../gateway/timers.ts";

const settleMs = 200;

/** `changed` is called a moment after each batch of these events; what is returned ends it. */
export function followEvents(
  link: Pick<GatewayLink, "follow">,
  timers: Timers,
  types: readonly EventType[],
  changed: () => void,
): () => void {
  let stopWaiting: (() => void) | undefined;
  const unfollow = link.follow((followed) => {
    if (!("seq" in followed) || !types.includes(followed.type) || stopWaiting) return;
    stopWaiting = timers.after(settleMs, () => {
      stopWaiting = undefined;
      changed();
    });
  });
  return () => {
    unfollow();
    stopWaiting?.();
  };
}
