// Connects to an address that was judged for this very connection. Whoever may name any host cannot reach into the private
// network by it (SSRF), and a name that later resolves elsewhere gains nothing (DNS rebinding).
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { reasonOf } from "../../contract/failure.ts";

/** Where a URL leads, judged and looked up once; the connection goes to one of these addresses and nowhere else. */
export type CheckedAddress = { ok: true; addresses: readonly string[] } | { ok: false; reason: string };
export type CheckAddress = (url: string, signal: AbortSignal) => Promise<CheckedAddress>;

export type Target = { url: string; host: string; port: number };
export type Reached = { ok: true; socket: Socket } | { ok: false; status: 403 | 502; reason: string };

const checkMs = 15_000;
const connectMs = 15_000;

type Check = (target: Target, signal: AbortSignal) => Promise<CheckedAddress>;

/** Whatever cannot be decided is refused. */
export async function reachChecked(check: Check, target: Target): Promise<Reached> {
  try {
    const checked = await check(target, AbortSignal.timeout(checkMs));
    if (!checked.ok) return { ok: false, status: 403, reason: checked.reason };
    return await connectToFirst(checked.addresses, target.port);
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
  return error instanceof Error && error.name === "AbortError" ? "no answer in time" : reasonOf(error);
}
