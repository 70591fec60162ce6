import { expect, test } from "vitest";
import { CallFailed, type GatewayLink } from "../../gateway/gateway-link.ts";
import { openWatched } from "../../state/watched.ts";
import { openSearchAsTyped } from "./search-as-typed.ts";

function scene(group?: string) {
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
  const after = (_: number, run: () => void) => {
    pending = run;
    return () => {
      pending = undefined;
    };
  };
  const search = openSearchAsTyped(link, { after }, group);
  const settled = () => new Promise((done) => setTimeout(done, 0));
  const pause = () => {
    const run = pending;
    pending = undefined;
    run?.();
  };
  return { search, asked, settled, pause };
}

const none = { finds: [], ms: 1 };

test("only what stands there after a pause in typing is asked, in the memory that is looked into", () => {
  const { search, asked, pause } = scene("family");
  search.ask("ann");
  search.ask("anna ");
  pause();
  expect(asked.map(({ params }) => params)).toEqual([{ query: "anna", group: "family" }]);
});

test("whoever wants it at once need not wait for the pause, and is not answered twice", () => {
  const { search, asked, pause } = scene();
  search.ask("anna");
  search.askNow();
  search.askNow();
  pause();
  expect(asked.map(({ params }) => params)).toEqual([{ query: "anna" }]);
});

test("a space more is no other question", () => {
  const { search, asked, pause } = scene();
  search.ask("anna");
  pause();
  search.ask("anna ");
  pause();
  expect(asked.length).toBe(1);
});

test("an answer that comes late does not replace a newer one, and what is found says for which words", async () => {
  const { search, asked, pause, settled } = scene();
  for (const query of ["ann", "anna"]) {
    search.ask(query);
    pause();
  }
  asked[1]?.answer.resolve(none);
  asked[0]?.answer.resolve({ finds: [], ms: 99 });
  await settled();
  expect(search.found.value).toEqual({ kind: "found", query: "anna", answer: none });
});

test("an emptied field shows nothing, also when an answer is still on its way", async () => {
  const { search, asked, pause, settled } = scene();
  search.ask("anna");
  pause();
  search.ask("");
  asked[0]?.answer.resolve(none);
  await settled();
  expect(search.found.value).toEqual({ kind: "nothing asked" });
});

test("a failed search says why, and the same is asked again when somebody wants it", async () => {
  const { search, asked, pause, settled } = scene();
  search.ask("anna");
  pause();
  asked[0]?.answer.reject(new CallFailed("failed", "The index is being moved."));
  await settled();
  expect(search.found.value).toEqual({ kind: "failed", message: "The index is being moved." });
  search.askAgain();
  expect(asked[1]?.params).toEqual({ query: "anna" });
});
