// Whether something that has happened changes what is planned, and one look after several such events.
import type { Event } from "../../../src/contract/event.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import type { Timers } from "../gateway/timers.ts";

const settleMs = 120;

/** `changed` is called a moment after each batch of events; what is returned ends it. */
export function followTasks(link: Pick<GatewayLink, "follow">, timers: Timers, changed: () => void): () => void {
  let stopWaiting: (() => void) | undefined;
  const unfollow = link.follow((followed) => {
    if (!("seq" in followed) || !concernsTasks(followed) || stopWaiting) return;
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

export function concernsTasks(event: Event): boolean {
  switch (event.type) {
    case "task.made":
    case "task.changed":
    case "task.ended":
    case "task.skipped":
    case "task.settled":
      return true;
    case "message.received":
      return event.run !== undefined;
    case "reply.written":
      return event.task !== undefined || isOfTask(event);
    case "message.withdrawn":
    case "turn.started":
    case "turn.waiting":
    case "turn.stop_requested":
    case "turn.finished":
    case "approval.answered":
      return isOfTask(event);
    default:
      return false;
  }
}

function isOfTask({ conversation }: Event): boolean {
  return conversation.startsWith("task--");
}
