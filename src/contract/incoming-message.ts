import type { AttachmentRef } from "./attachment.ts";
import type { Sender } from "./sender.ts";
import type { RunRef } from "./task/task.ts";

export type IncomingMessage = {
  conversation: string;
  channel: string;
  sender: Sender;
  text: string;
  attachments: readonly AttachmentRef[];
  /** What came with it that its sender has not written. */
  data?: string | undefined;
  /** Where words come from that nobody should obey. */
  labels?: readonly string[] | undefined;
  /** Only these places in its words are the sender's own; left out: all of it is. */
  named?: readonly string[] | undefined;
  /** It begins a run of a task, and is answered in a turn of its own. */
  run?: RunRef | undefined;
  /** The number of the owner's earlier message that this one takes the place of. */
  replaces?: number | undefined;
  /** The platform's own number of the message; the same number twice is one message. */
  idempotencyKey?: string | undefined;
};

/** `accepted: false`: it is on disk as refused, and the reason is told to whoever sent it. */
export type Receipt = { accepted: boolean; messageId: string; seq: number; reason?: string };
