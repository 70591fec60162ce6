/** A text as the platform wants it, and the same without marks for a platform that refuses them. */
export type RenderedPiece = { markup: string; plain: string };

/** Something to press: `press` comes back as it is, and has at most 60 bytes. */
export type Button = { label: string; press: string; tone: "yes" | "no" | "plain" };

export type OutgoingFile = { name: string; mediaType: string; data: Uint8Array };

export type OutgoingMessage = {
  /** Unlike that of any other message: a platform that can tell drops the second one with the same key. */
  key: string;
  piece: RenderedPiece | undefined;
  /** Rows. Left out in an edit: there are none any more. */
  buttons?: readonly (readonly Button[])[];
  file?: OutgoingFile;
  /** See Chat.details. */
  details: Readonly<Record<string, string>>;
  /** It is a question that waits for the owner, or an alarm: the phone may ring. */
  isUrgent?: boolean;
};

/** ref: how the platform calls it, to change or remove it later. details: what is to be known for the next message there. */
export type Sent = { ref: string; details?: Readonly<Record<string, string>> };

/**
 * Why a message was not sent. `again`: it may be tried later. `never`: trying on is of no use, such as in a chat that Steward was put
 * out of. `arrived`: no, it surely has not; maybe, nobody knows.
 */
export class SendFailure extends Error {
  readonly retry: "again" | "never";
  readonly arrived: "no" | "maybe";
  readonly retryAfterMs: number | undefined;
  constructor(
    message: string,
    how: { retry: "again" | "never"; arrived: "no" | "maybe"; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: how.cause });
    this.name = "SendFailure";
    this.retry = how.retry;
    this.arrived = how.arrived;
    this.retryAfterMs = how.retryAfterMs;
  }
}
