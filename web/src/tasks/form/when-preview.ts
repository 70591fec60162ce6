// What a wish means while it is typed: one question at a time, and only the newest answer counts.
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { CallFailed, type GatewayLink } from "../../gateway/gateway-link.ts";
import type { Timers } from "../../gateway/timers.ts";
import { openWatched, type Watched } from "../../state/watched.ts";

export type Meaning = { kind: "nothing asked" } | { kind: "asking" } | ({ kind: "told" } & Told);
type Told = Pick<MethodResult<"tasks.preview">, "ok" | "words" | "nextAtMs"> & { timeZone?: string };

export type WhenPreview = { meaning: Watched<Meaning>; ask(when: string, timeZone: string): void };

const pauseMs = 250;

export function openWhenPreview(link: GatewayLink, timers: Timers): WhenPreview {
  const meaning = openWatched<Meaning>({ kind: "nothing asked" });
  let newest = 0;
  let stopWaiting = () => {};
  return {
    meaning,
    ask(when, timeZone) {
      const asked = ++newest;
      stopWaiting();
      if (when.trim() === "") return meaning.set({ kind: "nothing asked" });
      if (meaning.value.kind === "nothing asked") meaning.set({ kind: "asking" });
      stopWaiting = timers.after(pauseMs, () => void tell(asked, when.trim(), timeZone.trim()));
    },
  };

  async function tell(asked: number, when: string, timeZone: string): Promise<void> {
    const told = await toldOf(when, timeZone);
    if (asked === newest) meaning.set({ kind: "told", ...told });
  }

  async function toldOf(when: string, timeZone: string): Promise<Told> {
    try {
      return await link.call("tasks.preview", { when, ...(timeZone !== "" && { timeZone }) });
    } catch (cause) {
      if (!(cause instanceof CallFailed)) throw cause;
      return { ok: false, words: cause.message, nextAtMs: [] };
    }
  }
}
