// The way to other machines for every room: all of it goes through the address guard. Loaded when it is first needed.
import { checkUrl } from "./check-url.ts";
import type { FetchDeps, FetchOutcome, FetchRequest } from "./fetch-outcome.ts";
import { resolveChecked } from "./resolve-checked.ts";

export type AddressException = FetchDeps["allowAddress"];

export async function fetchGuarded(exception: AddressException, request: FetchRequest): Promise<FetchOutcome> {
  const { guardedFetch } = await import("./guarded-fetch.ts");
  const { openTransport, realResolve } = await import("./real-network.ts");
  const deps = { resolve: realResolve, connect: openTransport(), nowMs: Date.now, allowAddress: exception };
  return guardedFetch(deps, request);
}

export type GuardedAddresses = { ok: true; addresses: readonly string[] } | { ok: false; reason: string };

/** The addresses behind a URL, all of them checked; whoever connects must use one of these and look nothing up again. */
export async function resolveUrlGuarded(url: string, signal: AbortSignal): Promise<GuardedAddresses> {
  const checked = checkUrl(url);
  if (checked.kind === "refused") return { ok: false, reason: checked.reason };
  const { realResolve } = await import("./real-network.ts");
  const resolved = await resolveChecked({ resolve: realResolve }, { ...checked, signal });
  if (resolved.kind !== "checked") return { ok: false, reason: resolved.reason };
  return { ok: true, addresses: resolved.addresses };
}

/** The one address to connect to, for a proxy that is asked for a host and a port. */
export async function resolveGuarded(
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<{ ok: true; address: string } | { ok: false; reason: string }> {
  const found = await resolveUrlGuarded(`http://${host}:${port}/`, signal);
  if (!found.ok) return found;
  const [address] = found.addresses;
  return address ? { ok: true, address } : { ok: false, reason: `${host} has no address` };
}
