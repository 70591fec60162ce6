import { expect, test } from "vitest";
import { MemorySettings } from "../../../contract/memory/memory-settings.ts";
import { openEmbedder } from "../embedder-list.ts";
import { openBuiltin } from "./open-builtin.ts";

const { embedder: usual } = MemorySettings.parse({});
const deps = { environment: {}, storedKeys: {} };

test("without a setting, texts become vectors on this machine", async () => {
  const embedder = await openEmbedder(usual, deps);
  expect(embedder).toMatchObject({ key: "builtin:static-minilm:256", dimensions: 256, isLocal: true });
  const [one, other, again, empty] = (await embedder?.embed(["a dog", "a bank", "a dog", ""])) ?? [];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(empty).toEqual(new Float32Array(256));
});

test("with the provider none there is no embedder", async () => {
  expect(await openEmbedder({ ...usual, provider: "none" }, deps)).toBeUndefined();
});

test("a list that is no longer wanted is given up in the middle", async () => {
  const embedder = await openBuiltin(usual, deps);
  const stopping = new AbortController();
  const vectors = embedder.embed(
    Array.from({ length: 20_000 }, () => "a few words"),
    { signal: stopping.signal },
  );
  stopping.abort(new Error("no longer wanted"));
  await expect(vectors).rejects.toThrow("no longer wanted");
});

test("a table that is open for other things is not opened again", async () => {
  const asked: string[] = [];
  const vectorOf = (text: string) => {
    asked.push(text);
    return new Float32Array([1]);
  };
  const embedder = await openBuiltin(usual, { ...deps, tokenTable: { dimensions: 1, vectorOf } });
  expect(await embedder.embed(["words"])).toEqual([new Float32Array([1])]);
  expect(asked).toEqual(["words"]);
});
