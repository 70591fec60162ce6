import { expect, test } from "vitest";
import { CallFailed, type GatewayLink } from "../../gateway/gateway-link.ts";
import { openWatched } from "../../state/watched.ts";
import { openSessionSearch } from "./session-search.ts";

function scene() {
  const asked: { query: string; answer: PromiseWithResolvers<unknown> }[] = [];
  let pending: (() => void) | undefined;
  const call = (_: string, params: { query: string }) => {
    const answer = Promise.withResolvers<unknown>();
    asked.push({ query: params.query, answer });
    return answer.promise;
  };
  const link: GatewayLink = {
    state: openWatched("open" as const),
    call: call as unknown as GatewayLink["call"],
    follow: () => () => {},
    lastSeq: 0,
  };
  const search = openSessionSearch(link, {
    after(_, run) {
      pending = run;
      return () => {
        pending = undefined;
      };
    },
  });
  const settled = () => new Promise((done) => setTimeout(done, 0));
  return { search, asked, settled, pause: () => pending?.() };
}

const hit = (title: string) => ({
  sessionKey: "web--1",
  title,
  seq: 1,
  atMs: 1,
  who: "person" as const,
  snippet: title,
});

test("only what stands there after a pause in typing is asked", () => {
  const { search, asked, pause } = scene();
  search.ask("ro");
  search.ask("rome");
  pause();
  expect(asked.map((one) => one.query)).toEqual(["rome"]);
});

test("an answer that comes late does not replace a newer one", async () => {
  const { search, asked, pause, settled } = scene();
  search.ask("rom");
  pause();
  search.ask("rome");
  pause();
  asked[1]?.answer.resolve({ hits: [hit("new")] });
  asked[0]?.answer.resolve({ hits: [hit("old")] });
  await settled();
  expect(search.found.value).toEqual({ kind: "hits", hits: [hit("new")] });
});

test("an emptied field shows nothing, also when an answer is still on its way", async () => {
  const { search, asked, pause, settled } = scene();
  search.ask("rome");
  pause();
  search.ask("");
  asked[0]?.answer.resolve({ hits: [hit("old")] });
  await settled();
  expect(search.found.value).toEqual({ kind: "nothing asked" });
});

test("a search that fails says why", async () => {
  const { search, asked, pause, settled } = scene();
  search.ask("rome");
  pause();
  asked[0]?.answer.reject(new CallFailed("lost", "The connection broke."));
  await settled();
  expect(search.found.value).toEqual({ kind: "failed", message: "The connection broke." });
});
