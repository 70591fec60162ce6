import type { z } from "zod";
import type { Event } from "../event.ts";
import type { ErrorCode } from "./frame.ts";
import type { LiveSignal } from "./live-signal.ts";
import type { MethodInput, MethodName, MethodResult } from "./method.ts";

export type Followed = Event | LiveSignal;

/** The gateway as a client sees it, in this process or over a socket; the terminal knows nothing else of Steward. */
export type GatewayClient = {
  call<Name extends MethodName>(name: Name, params: MethodInput<Name>): Promise<MethodResult<Name>>;
  /** Every event after `since`, then everything new, in order and without gaps; live signals in between. Returns how to stop. */
  follow(since: number, listener: (followed: Followed) => void): () => void;
  /** Resolves when the other side has gone away. */
  closed: Promise<void>;
  close(): Promise<void>;
};

/** The gateway's answer to a call that could not be done; the message is for a person. */
export class CallRefused extends Error {
  readonly code: z.infer<typeof ErrorCode>;
  constructor(code: z.infer<typeof ErrorCode>, message: string) {
    super(message);
    this.name = "CallRefused";
    this.code = code;
  }
}
