import type { Followed } from "../../contract/client.ts";
import type { PushEvent } from "../../contract/push-event.ts";

/** Frames are made once, however many clients are told the same thing. */
export type PushedFrames = { ofFollowed(followed: Followed): Buffer; ofPushEvent(event: PushEvent): Buffer };

export function openPushedFrames(): PushedFrames {
  const made = new WeakMap<object, Buffer>();
  return {
    ofFollowed: (followed) =>
      made.get(followed) ?? make(followed, { event: "seq" in followed ? "log" : "live", data: followed }),
    ofPushEvent: (event) => made.get(event) ?? make(event, event),
  };

  function make(from: object, frame: { event: string; data: unknown }): Buffer {
    const bytes = Buffer.from(JSON.stringify(frame));
    made.set(from, bytes);
    return bytes;
  }
}
