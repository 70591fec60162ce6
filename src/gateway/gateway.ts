// Reception: clients in this process or over a socket call the same methods and follow the same log.
import type { Followed, GatewayClient } from "../contract/client.ts";
import type { MethodInput, MethodName, MethodResult } from "../contract/method.ts";
import { followLog } from "./follow.ts";
import type { LiveBus } from "./live-bus.ts";
import { type Caller, callMethod, type MethodDeps } from "./methods.ts";

export type Gateway = {
  call(caller: Caller, method: string, params: unknown): Promise<unknown>;
  follow(since: number, listener: (followed: Followed) => void): () => void;
};

export type GatewayDeps = MethodDeps & {
  live: LiveBus;
  /** Somebody watches now, and will probably speak. */
  onFollow(): void;
  onTrouble(message: string, cause: unknown): void;
};

export function openGateway(deps: GatewayDeps): Gateway {
  return {
    call: (caller, method, params) => callMethod(deps, caller, method, params),
    follow(since, listener) {
      deps.onFollow();
      return followLog(deps, since, listener);
    },
  };
}

/** The gateway as a client inside the same process sees it. */
export function inProcessClient(
  gateway: Gateway,
  caller: Caller,
  closed: Promise<void>,
  close: () => Promise<void>,
): GatewayClient {
  return {
    call: async <Name extends MethodName>(name: Name, params: MethodInput<Name>) =>
      (await gateway.call(caller, name, params)) as MethodResult<Name>,
    follow: (since, listener) => gateway.follow(since, listener),
    closed,
    close,
  };
}
