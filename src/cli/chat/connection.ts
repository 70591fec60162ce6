// One line to the gateway that mends itself: a client that went away is replaced, and following goes on where it was.

import { Failure, reasonOf } from "../../contract/failure.ts";
import type { Followed, GatewayClient } from "../../contract/wire/client.ts";

export type ConnectionDeps = {
  connect(): Promise<GatewayClient>;
  pause(ms: number): Promise<void>;
  /** How often a lost connection is tried again before it counts as gone for good. */
  maxReconnects: number;
};
export type ConnectionListener = {
  /** The sequence number to follow from. */
  since(): number;
  followed(followed: Followed): void;
  lost(): void;
  restored(): void;
};

export class ConnectionLost extends Error {
  constructor() {
    super("The connection to the assistant was lost before it answered.");
    this.name = "ConnectionLost";
  }
}

export async function openConnection(deps: ConnectionDeps) {
  const gone = Promise.withResolvers<Failure>();
  let client = await deps.connect();
  let ready = Promise.resolve(client);
  let attending: Promise<void> | undefined;
  let stopFollowing = (): void => undefined;
  let closing = false;

  /** Waits for a reconnection under way; throws ConnectionLost when the other side goes away before it has answered. */
  const call: GatewayClient["call"] = async (name, params) => {
    const current = await ready;
    const lost = current.closed.then(() => {
      throw new ConnectionLost();
    });
    return Promise.race([current.call(name, params), lost]);
  };
  return {
    call,
    follow(listener: ConnectionListener): void {
      attending = attend(listener);
    },
    /** Resolves when the connection is gone and will not come back. */
    gone: gone.promise,
    async close(): Promise<void> {
      closing = true;
      stopFollowing();
      await client.close();
      await attending;
    },
  };

  async function attend(listener: ConnectionListener): Promise<void> {
    while (!closing) {
      stopFollowing = client.follow(listener.since(), listener.followed);
      await client.closed;
      stopFollowing();
      if (closing) return;
      const next = Promise.withResolvers<GatewayClient>();
      // nobody may be calling just now; whoever calls later sees the same failure
      next.promise.catch(() => undefined);
      ready = next.promise;
      listener.lost();
      const found = await connectAgain();
      if (closing) {
        if (!(found instanceof Failure)) await found.close();
        return;
      }
      if (found instanceof Failure) {
        next.reject(found);
        gone.resolve(found);
        return;
      }
      client = found;
      listener.restored();
      next.resolve(found);
    }
  }

  async function connectAgain(): Promise<GatewayClient | Failure> {
    let why = "";
    for (let attempt = 0; attempt < deps.maxReconnects && !closing; attempt++) {
      if (attempt > 0) await deps.pause(Math.min(5000, 125 * 2 ** attempt));
      try {
        return await deps.connect();
      } catch (error) {
        why = reasonOf(error);
      }
    }
    return new Failure(`The connection to the assistant was lost and could not be made again. ${why}`.trim());
  }
}
