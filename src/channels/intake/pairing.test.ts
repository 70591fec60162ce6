import { expect, test } from "vitest";
import { openPairing } from "./pairing.ts";

function open(disk = new Map<string, string>()) {
  let now = 1_000_000;
  const pairing = openPairing({
    nowMs: () => now,
    recall: async () => disk.get("codes"),
    remember: async (value) => void disk.set("codes", value),
  });
  const take = async (channel: string, person: string, text: string) =>
    (await pairing.find(channel, person, text)) !== undefined;
  const pass = (ms: number) => {
    now += ms;
  };
  return { ...pairing, take, pass, disk };
}

test("whoever writes the code is let in, once, however it is spaced", async () => {
  const pairing = open();
  const { code } = await pairing.create(null);
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  expect(await pairing.take("telegram", "42", `/start ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`)).toBe(true);
  expect(await pairing.take("telegram", "42", code)).toBe(false);
});

test("a code holds for an hour, and for its own channel", async () => {
  const pairing = open();
  const { code } = await pairing.create("slack");
  expect(await pairing.take("telegram", "42", code)).toBe(false);
  pairing.pass(3_600_001);
  expect(await pairing.take("slack", "U1", code)).toBe(false);
});

test("three codes are open at the most: the oldest goes", async () => {
  const pairing = open();
  const codes = await fourCodes(pairing);
  expect(await pairing.open()).toBe(3);
  expect(await Promise.all(codes.map((code, at) => pairing.take("telegram", String(at), code)))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test("who guesses is not heard any more, not even with the right code", async () => {
  const pairing = open();
  const { code } = await pairing.create(null);
  for (let guess = 0; guess < 5; guess += 1) await pairing.take("telegram", "666", "ABCDEFGH");
  expect(await pairing.take("telegram", "666", code)).toBe(false);
  expect(await pairing.take("telegram", "42", code)).toBe(true);
});

test("a crowd that guesses does not lock the owner out, and one of them finds nothing", async () => {
  const pairing = open();
  const { code } = await pairing.create(null);
  const guesses = Array.from({ length: 500 }, (_, person) => pairing.take("telegram", `p${person}`, "ABCDEFGH"));
  const found = await Promise.all(guesses);
  expect(found).not.toContain(true);
  expect(await pairing.take("telegram", "42", code)).toBe(true);
});

test("a code that two bring at once lets in one, and the next if that one could not be kept", async () => {
  const pairing = open();
  const { code } = await pairing.create(null);
  const first = await pairing.find("telegram", "42", code);
  expect(await pairing.find("telegram", "43", code)).toBeUndefined();
  await first?.giveBack();
  expect(await pairing.find("telegram", "43", code)).toBeDefined();
});

test("other words are no guess", async () => {
  const pairing = open();
  const { code } = await pairing.create(null);
  for (let word = 0; word < 100; word += 1) await pairing.take("telegram", "42", "hello there");
  expect(await pairing.take("telegram", "42", code)).toBe(true);
});

test("a code outlives a restart, and once it was used no restart brings it back", async () => {
  const before = open();
  const { code } = await before.create(null);
  expect(before.disk.get("codes")).not.toContain(code);
  expect(await open(before.disk).take("telegram", "42", code)).toBe(true);
  expect(await open(before.disk).take("telegram", "43", code)).toBe(false);
});

async function fourCodes(pairing: ReturnType<typeof open>): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let number = 0; number < 4; number += 1) codes.push((await pairing.create(null)).code);
  return codes;
}
