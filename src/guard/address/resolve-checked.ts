import { reasonOf } from "../../contract/failure.ts";
import { type AllowAddress, admitAddress, type Destination } from "./check-url.ts";
import type { FailedFetch, FetchDeps } from "./fetch-outcome.ts";

export type CheckedAddresses =
  | { kind: "checked"; addresses: readonly string[] }
  | { kind: "private"; reason: string }
  | FailedFetch;

/** The one look-up of a hop: a single private answer among public ones refuses them all. */
export async function resolveChecked(
  deps: Pick<FetchDeps, "resolve" | "allowAddress">,
  place: { destination: Destination; port: number; signal: AbortSignal },
): Promise<CheckedAddresses> {
  if (place.destination.kind === "address") return { kind: "checked", addresses: [place.destination.address] };
  const { name } = place.destination;
  try {
    const answers = await untilAborted(place.signal, () => deps.resolve(name, place.signal));
    return checkAnswers(name, answers, place.port, deps.allowAddress);
  } catch (error) {
    return { kind: "failed", failure: "look-up", reason: `the look-up of ${name} failed: ${reasonOf(error)}` };
  }
}

function checkAnswers(
  name: string,
  answers: readonly string[],
  port: number,
  allowAddress: AllowAddress | undefined,
): CheckedAddresses {
  if (answers.length === 0) return { kind: "failed", failure: "look-up", reason: `${name} resolves to no address` };
  const addresses: string[] = [];
  for (const answer of answers) {
    const admission = admitAddress(answer, port, allowAddress);
    if (!admission.admitted) return { kind: "private", reason: `${name} resolves to ${answer}: ${admission.reason}` };
    addresses.push(admission.address);
  }
  return { kind: "checked", addresses };
}

// a system look-up cannot be stopped, only no longer waited for
async function untilAborted<Value>(signal: AbortSignal, start: () => Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([start(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
