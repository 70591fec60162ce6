import type { Followed } from "../../../src/contract/wire/client.ts";
import type { MethodInput, MethodName, MethodResult } from "../../../src/contract/wire/method.ts";
import type { Watched } from "../state/watched.ts";

/** signed-out: the server wants a one-time code first. lost: it does not answer, and is tried again by itself. */
export type LinkState = "connecting" | "open" | "lost" | "signed-out";

/** The way to the gateway. It comes back by itself after a break and then misses and repeats nothing. */
export type GatewayLink = {
  state: Watched<LinkState>;
  /** Waits while the connection is being made; rejects with CallFailed when it breaks after sending or the gateway refuses. */
  call<Name extends MethodName>(name: Name, params: MethodInput<Name>): Promise<MethodResult<Name>>;
  /** Everything from now on; after a break first what was missed. A half-written step is told again from its beginning. */
  follow(listener: (followed: Followed) => void): () => void;
  /** The number of the last event that followers have been told. */
  readonly lastSeq: number;
};

export class CallFailed extends Error {
  /** invalid, not_found, conflict, forbidden, failed, or lost when the connection broke before the answer. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "CallFailed";
    this.code = code;
  }
}
