import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { messageReceived } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { NewEvent } from "../../contract/event.ts";
import { migrate, migrations } from "../database/migrations.ts";
import { openSqliteDatabase } from "../database/sqlite-database.ts";
import { type EventLog, openEventLog } from "./event-log.ts";

const wide = 1 << 20;

test("a conversation longer than the cache is read whole, without a hole", async () => {
  const { small } = await logs();
  for (let turn = 0; turn < 50; turn++) await small.append(turnEvents("terminal--long", `t${turn}`, 300));
  const seqs = (await small.latest("terminal--long", 1_000)).map((event) => event.seq);
  expect(seqs).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
  // once more, from whatever the first reading has left in the cache
  expect((await small.latest("terminal--long", 1_000)).map((event) => event.seq)).toEqual(seqs);
});

test.each([1, 2, 3, 4, 5])(
  "whatever was dropped, a small cache answers like a log that is read from the disk (%i)",
  async (seed) => {
    const { small, plain } = await logs();
    const random = randomNumbers(seed);
    const pick = (most: number) => Math.floor(random() * most);
    for (let round = 0; round < 120; round++) {
      const conversation = `terminal--c${pick(4)}`;
      const turn = `${conversation} ${round - (round % 7)}`;
      await small.append(turnEvents(conversation, `${turn} ${round}`, pick(400)));
      if (pick(40) === 0) await small.append([deleted(conversation)]);
      const asked = [
        `terminal--c${pick(4)}`,
        1 + pick(60),
        pick(2) ? undefined : pick(200),
        pick(3) ? 0 : pick(200),
      ] as const;
      const disk = await plain();
      expect(await small.latest(...asked)).toEqual(await disk.latest(...asked));
      expect(await small.ofTurn(`${turn} ${round}`)).toEqual(await disk.ofTurn(`${turn} ${round}`));
      const seqs = [1 + pick(small.lastSeq()), 1 + pick(small.lastSeq())];
      expect(await small.at(seqs)).toEqual(await disk.at(seqs));
    }
  },
);

test("what a person has deleted is in no memory either", async () => {
  const { wideLog } = await logs();
  await wideLog.append([messageReceived("a secret", { messageId: "m1" })]);
  await wideLog.latest("terminal--default", 10);
  await wideLog.append([deleted("terminal--default")]);
  expect(JSON.stringify(await wideLog.latest("terminal--default", 10))).not.toContain("secret");
  expect(JSON.stringify(await wideLog.at([1]))).not.toContain("secret");
});

test("what a person has forgotten is in no memory either, and what stands around it is read as before", async () => {
  const { wideLog } = await logs();
  await wideLog.append(["a secret", "a plum"].map((text) => messageReceived(text, { messageId: text })));
  const by = { kind: "owner", id: "owner" } as const;
  await wideLog.append([{ type: "messages.forgotten", conversation: "terminal--default", seqs: [1], by }]);
  const read = await wideLog.latest("terminal--default", 10);
  expect(read.map((event) => ("text" in event ? event.text : event.type))).toEqual([
    "",
    "a plum",
    "messages.forgotten",
  ]);
  expect(await wideLog.at([1])).toMatchObject([{ text: "" }]);
});

/** Over one database: with room for a few events, with room for all, and one that has read nothing yet. */
async function logs(): Promise<{ small: EventLog; wideLog: EventLog; plain(): Promise<EventLog> }> {
  const database = openSqliteDatabase(join(await temporaryFolder(), "steward.db"));
  onTestFinished(() => database.close());
  await migrate({ migrations, nowMs: Date.now, keepCopy: async () => {}, refold: async () => {} }, database);
  const open = (cachedCharacters: number) => openEventLog({ database, nowMs: Date.now, cachedCharacters });
  return { small: await open(3_000), wideLog: await open(wide), plain: () => open(0) };
}

function turnEvents(conversation: string, turn: string, length: number): readonly NewEvent[] {
  return [
    messageReceived("x".repeat(length), { conversation, messageId: turn }),
    { type: "turn.started", conversation, turn, messages: [] },
    { type: "turn.finished", conversation, turn, ending: "answered" },
  ];
}

function deleted(conversation: string): NewEvent {
  return { type: "conversation.deleted", conversation, by: { kind: "owner", id: "owner" } };
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
