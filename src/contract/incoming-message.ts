import type { AttachmentRef } from "./attachment.ts";
import type { Sender } from "./event.ts";

export type IncomingMessage = {
  conversation: string;
  channel: string;
  sender: Sender;
  text: string;
  attachments: readonly AttachmentRef[];
  /** The number of the owner's earlier message that this one takes the place of. */
  replaces?: number | undefined;
  /** The platform's own number of the message; the same number twice is one message. */
  idempotencyKey?: string | undefined;
};

/** `accepted: false`: it is on disk as refused, and the reason is told to whoever sent it. */
export type Receipt = { accepted: boolean; messageId: string; seq: number; reason?: string };
