import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { judgeLine } from "./judge-addresses.ts";

const Expected = z.strictObject({
  case: z.record(z.string(), z.unknown()),
  verdict: z.enum(["fetch", "refuse"]),
  connected: z.array(z.string()),
  rule: z.string().default("every hop leads to a public address"),
});

test("every address of the refused corpus is refused by its own rule, and nothing is connected to", async () => {
  const lines = readCorpus("address-refused");
  const wrong = [];
  for (const line of lines) {
    const verdict = await judgeLine(line);
    const rule = String(verdict.id).split("/")[0];
    const isRight = verdict.verdict === "refuse" && verdict.reason.startsWith(`${rule}: `);
    if (!isRight || verdict.connected.length > 0) wrong.push(verdict);
  }
  expect(wrong).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(180);
});

test("every address of the fetched corpus is fetched with one connection", async () => {
  const lines = readCorpus("address-fetched");
  const wrong = [];
  for (const line of lines) {
    const verdict = await judgeLine(line);
    if (verdict.verdict !== "fetch" || verdict.connected.length !== 1) wrong.push(verdict);
  }
  expect(wrong).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(50);
});

test("rebinding names and redirects never lead to an address that was not checked", async () => {
  const lines = readCorpus("address-hops");
  const wrong = [];
  for (const line of lines) {
    const expected = Expected.parse(JSON.parse(line));
    const verdict = await judge(expected.case);
    const isRight = verdict.verdict === expected.verdict && verdict.reason.startsWith(expected.rule);
    if (!isRight || verdict.connected.join() !== expected.connected.join()) wrong.push({ verdict, expected });
  }
  expect(wrong).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(40);
});

test("a public address in an odd spelling is connected to in its plain one", async () => {
  const literal = await judge({ id: 1, url: "http://[::ffff:8.8.8.8]/" });
  const name = await judge({ id: 2, url: "http://a.example/", dns: { "a.example": [["2606:4700:0000::1111"]] } });
  expect([literal.connected, name.connected]).toEqual([["8.8.8.8"], ["2606:4700::1111"]]);
});

test("a line that is not JSON is refused and says so", async () => {
  const verdict = await judgeLine('{"id": "x", "url": ');
  expect(verdict).toMatchObject({ id: null, verdict: "refuse", connected: [] });
  expect(verdict.reason).toContain("not JSON");
});

test.each([
  ["an unknown field", { id: "m", url: "http://8.8.8.8/", extra: 1 }, /extra/],
  ["a missing url", { id: "m" }, /url/],
  [
    "an answer that is no list of look-ups",
    { id: "m", url: "http://a.example/", dns: { "a.example": ["8.8.8.8"] } },
    /dns/,
  ],
  ["a redirect that is no text", { id: "m", url: "http://8.8.8.8/", redirects: { "http://8.8.8.8/": 5 } }, /redirects/],
])("a case with %s is refused under its id", async (_what, given, problem) => {
  const verdict = await judge(given);
  expect(verdict).toMatchObject({ id: "m", verdict: "refuse", connected: [] });
  expect(verdict.reason).toMatch(problem);
});

test.each([[null], [[]], ["text"], [42]])("%j is not a case and is refused", async (given) => {
  expect(await judge(given)).toMatchObject({ id: null, verdict: "refuse", connected: [] });
});

function readCorpus(name: string): string[] {
  const path = new URL(`../../../tests/corpora/${name}.jsonl`, import.meta.url);
  return readFileSync(path, "utf8").trimEnd().split("\n");
}

function judge(given: unknown) {
  return judgeLine(JSON.stringify(given));
}
