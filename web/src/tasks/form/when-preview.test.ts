import { expect, test } from "vitest";
import { CallFailed, type GatewayLink } from "../../gateway/gateway-link.ts";
import { openWatched } from "../../state/watched.ts";
import { openWhenPreview } from "./when-preview.ts";

function scene() {
  const asked: { params: unknown; answer: PromiseWithResolvers<unknown> }[] = [];
  let pending: (() => void) | undefined;
  const call = (_: string, params: unknown) => {
    const answer = Promise.withResolvers<unknown>();
    asked.push({ params, answer });
    return answer.promise;
  };
  const link: GatewayLink = {
    state: openWatched("open" as const),
    call: call as unknown as GatewayLink["call"],
    follow: () => () => {},
    lastSeq: 0,
  };
  const timers = {
    after(_: number, run: () => void) {
      pending = run;
      return () => {
        pending = undefined;
      };
    },
  };
  const settled = () => new Promise((done) => setTimeout(done, 0));
  return { preview: openWhenPreview(link, timers), asked, settled, pause: () => pending?.() };
}

const told = (words: string) => ({ ok: true, words, nextAtMs: [1], timeZone: "Europe/Berlin" });

test("only what stands there after a pause in typing is asked, with the time zone if one is named", () => {
  const { preview, asked, pause } = scene();
  preview.ask("tom", "");
  preview.ask("tomorrow at 9", "");
  pause();
  preview.ask("tomorrow at 9", "Asia/Tokyo");
  pause();
  expect(asked.map((one) => one.params)).toEqual([
    { when: "tomorrow at 9" },
    { when: "tomorrow at 9", timeZone: "Asia/Tokyo" },
  ]);
});

test("an answer that comes late does not replace a newer one", async () => {
  const { preview, asked, pause, settled } = scene();
  preview.ask("at 9", "");
  pause();
  preview.ask("at 10", "");
  pause();
  asked[1]?.answer.resolve(told("at ten"));
  asked[0]?.answer.resolve(told("at nine"));
  await settled();
  expect(preview.meaning.value).toMatchObject({ kind: "told", words: "at ten" });
});

test("an emptied field means nothing, and a refusal is told in its own words", async () => {
  const { preview, asked, pause, settled } = scene();
  preview.ask("whenever", "");
  pause();
  asked[0]?.answer.reject(new CallFailed("invalid", "There is no such time zone."));
  await settled();
  expect(preview.meaning.value).toMatchObject({ ok: false, words: "There is no such time zone." });
  preview.ask(" ", "");
  expect(preview.meaning.value).toEqual({ kind: "nothing asked" });
});
