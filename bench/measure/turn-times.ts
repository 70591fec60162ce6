// A turn taken apart: on the way to the provider, at the provider, on the way back.
import { median, steadyMs } from "./figures.ts";
import type { Said } from "./talk.ts";
import type { Exchange, TimedModel } from "./timed-model.ts";

export type TurnTimes = { toProviderMs: number; fromProviderMs: number; totalMs: number; overheadMs: number };

/** Runs what makes exactly one exchange with the provider, and takes its time apart. */
export async function timeExchange(model: TimedModel, act: () => Promise<Said>): Promise<TurnTimes> {
  await model.newExchanges();
  const said = await act();
  const [exchange, ...others] = await model.newExchanges();
  if (!exchange || others.length > 0)
    throw new Error(`The provider was asked ${others.length + (exchange ? 1 : 0)} times in one turn.`);
  return takeApart(said, exchange);
}

/** The very bytes that the program sent, sent again with nothing around them. */
export async function bareFetch(model: TimedModel, body: string): Promise<Said> {
  const sentMs = steadyMs();
  const response = await fetch(`${model.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  await response.text();
  return { sentMs, endedMs: steadyMs() };
}

export function medianTimes(times: readonly TurnTimes[]): TurnTimes {
  const of = (name: keyof TurnTimes) => median(times.map((one) => one[name]));
  return {
    toProviderMs: of("toProviderMs"),
    fromProviderMs: of("fromProviderMs"),
    totalMs: of("totalMs"),
    overheadMs: of("overheadMs"),
  };
}

function takeApart(said: Said, exchange: Exchange): TurnTimes {
  const totalMs = said.endedMs - said.sentMs;
  return {
    toProviderMs: exchange.arrivedMs - said.sentMs,
    fromProviderMs: said.endedMs - exchange.endedMs,
    totalMs,
    overheadMs: totalMs - (exchange.endedMs - exchange.arrivedMs),
  };
}
