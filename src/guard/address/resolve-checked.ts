import { reasonOf } from "../../contract/failure.ts";
import { type AcceptedUrl, admitAddress, type Refusal, showUrl } from "./check-url.ts";
import type { FailedFetch, FetchDeps } from "./fetch-outcome.ts";

type CheckedAddresses = { kind: "checked"; addresses: readonly string[] } | Refusal | FailedFetch;

/** The one look-up of a hop: a single private answer among public ones refuses them all. */
export async function resolveChecked(
  deps: Pick<FetchDeps, "resolve" | "allowAddress">,
  { url, destination, port, signal }: AcceptedUrl & { signal: AbortSignal },
): Promise<CheckedAddresses> {
  if (destination.kind === "address") return { kind: "checked", addresses: [destination.address] };
  const { name } = destination;
  try {
    const answers = await untilAborted(signal, () => deps.resolve(name, signal));
    if (answers.length === 0) return { kind: "failed", failure: "look-up", reason: `${name} resolves to no address` };
    const addresses: string[] = [];
    for (const answer of answers) {
      const admission = admitAddress(answer, port, deps.allowAddress);
      if (!admission.admitted) {
        const reason = `${name} resolves to ${answer}: ${admission.reason}`;
        return { kind: "refused", rule: "address", reason, url: showUrl(url) };
      }
      addresses.push(admission.address);
    }
    return { kind: "checked", addresses };
  } catch (error) {
    return { kind: "failed", failure: "look-up", reason: `the look-up of ${name} failed: ${reasonOf(error)}` };
  }
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
