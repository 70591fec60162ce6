import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { CheckAddress } from "./check-address.ts";

export type Reached = { ok: true; socket: Socket } | { ok: false; status: 403 | 502; reason: string };

const checkMs = 10_000;
const connectMs = 10_000;

/** Connects to an address that was checked for this very connection; whatever cannot be decided is refused. */
export async function reachChecked(
  deps: { checkAddress: CheckAddress },
  place: { url: string; port: number },
): Promise<Reached> {
  try {
    const checked = await deps.checkAddress(place.url, AbortSignal.timeout(checkMs));
    if (!checked.ok) return { ok: false, status: 403, reason: checked.reason };
    return await connectToFirst(checked.addresses, place.port);
  } catch (error) {
    return { ok: false, status: 403, reason: `the address could not be checked: ${messageOf(error)}` };
  }
}

async function connectToFirst(addresses: readonly string[], port: number): Promise<Reached> {
  let reason = "the name has no address";
  for (const host of addresses) {
    const socket = connect({ host, port });
    // whoever uses it hears of its end; an error that nobody listens for would end the whole program
    socket.on("error", () => socket.destroy());
    try {
      await once(socket, "connect", { signal: AbortSignal.timeout(connectMs) });
      return { ok: true, socket };
    } catch (error) {
      socket.destroy();
      reason = `no connection to ${host} port ${port}: ${messageOf(error)}`;
    }
  }
  return { ok: false, status: 502, reason };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "AbortError" ? "no answer in time" : error.message;
}
