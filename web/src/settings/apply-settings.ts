import type { GatewayLink, LinkState } from "../gateway/gateway-link.ts";

export type ApplyLink = Pick<GatewayLink, "call" | "state">;
type Waiting = { forBreakMs: number; forReturnMs: number };

const usualWaiting: Waiting = { forBreakMs: 3_000, forReturnMs: 60_000 };

/** Starts Steward anew with the saved settings. False: it has not come back by now. */
export async function applySettings(link: ApplyLink, waiting: Waiting = usualWaiting): Promise<boolean> {
  try {
    await link.call("settings.apply", {});
  } catch (error) {
    // the connection may break before the answer has come through: that is what was asked for
    if (!isLost(error)) throw error;
  }
  // a Steward that restarts without dropping the connection is back at once
  const broke = await reaches(link, (state) => state !== "open", waiting.forBreakMs);
  return !broke || (await reaches(link, (state) => state === "open", waiting.forReturnMs));
}

function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "lost";
}

function reaches(link: ApplyLink, wanted: (state: LinkState) => boolean, withinMs: number): Promise<boolean> {
  if (wanted(link.state.value)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), withinMs);
    const unsubscribe = link.state.subscribe((state) => {
      if (wanted(state)) settle(true);
    });
    function settle(reached: boolean): void {
      clearTimeout(timer);
      unsubscribe();
      resolve(reached);
    }
  });
}
