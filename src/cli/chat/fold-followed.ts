import type { Followed } from "../../contract/client.ts";
import type { LiveSignal } from "../../contract/live-signal.ts";
import type { ChatState } from "./chat-state.ts";
import { foldEvent } from "./fold-event.ts";
import { foldLiveSignal } from "./fold-live-signal.ts";

export function foldFollowed(state: ChatState, followed: Followed): ChatState {
  return isLive(followed) ? foldLiveSignal(state, followed) : foldEvent(state, followed);
}

function isLive(followed: Followed): followed is LiveSignal {
  return followed.type.startsWith("live.");
}
