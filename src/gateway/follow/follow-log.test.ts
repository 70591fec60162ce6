import { expect, test } from "vitest";
import { conversation, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { Followed } from "../../contract/wire/client.ts";
import { openLiveBus } from "../live-bus.ts";
import { followLog, type Selection, type Sink, wholeLog } from "./follow-log.ts";

const title = (name: string) => ({ type: "conversation.configured", conversation, title: name }) as const;

/** A reader that takes so many and then nothing more until it is asked to. */
function slowSink(room: number) {
  const written: Followed[] = [];
  let left = room;
  let wake = () => {};
  let isClosed = false;
  const sink: Sink = {
    write(followed) {
      written.push(followed);
      left -= 1;
    },
    isFull: () => left <= 0,
    drained: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (left > 0) wake();
      }),
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
    },
  };
  return {
    sink,
    seqs: () => written.flatMap((followed) => ("seq" in followed ? [followed.seq] : [])),
    isClosed: () => isClosed,
    take(more: number) {
      left = more;
      wake();
    },
  };
}

async function scene() {
  const { log } = await storeIn(await temporaryFolder());
  const live = openLiveBus();
  const troubles: string[] = [];
  const deps = { log, live, onTrouble: (message: string) => void troubles.push(message) };
  return { log, live, troubles, deps };
}

test("a reader that is behind is told nothing more, and then the rest from the log, each event once", async () => {
  const { log, deps } = await scene();
  for (let at = 1; at <= 5; at++) await log.append([title(`past ${at}`)]);
  const reader = slowSink(2);
  const stop = followLog(deps, { since: 0, selection: wholeLog(log) }, reader.sink);
  await expect.poll(reader.seqs).toEqual([1, 2]);
  await log.append([title("present")]);
  expect(reader.seqs()).toEqual([1, 2]);
  reader.take(3);
  await expect.poll(reader.seqs).toEqual([1, 2, 3, 4, 5]);
  reader.take(100);
  await expect.poll(reader.seqs).toEqual([1, 2, 3, 4, 5, 6]);
  await log.append([title("later")]);
  expect(reader.seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  stop();
});

test("a commit of several events is left in the middle when the reader has had enough", async () => {
  const { log, deps } = await scene();
  const reader = slowSink(1);
  const stop = followLog(deps, { since: 0, selection: wholeLog(log) }, reader.sink);
  await log.append([title("one"), title("two"), title("three")]);
  expect(reader.seqs()).toEqual([1]);
  reader.take(100);
  await expect.poll(reader.seqs).toEqual([1, 2, 3]);
  stop();
});

test("live signals that a slow reader has missed are made up for by what the step has said so far", async () => {
  const { live, deps, log } = await scene();
  const reader = slowSink(1);
  const told: string[] = [];
  const sink: Sink = {
    ...reader.sink,
    write(followed) {
      reader.sink.write(followed);
      told.push(followed.type === "live.text" ? followed.delta : followed.type);
    },
  };
  const stop = followLog(deps, { since: 0, selection: wholeLog(log) }, sink);
  for (const delta of ["one ", "two ", "three"])
    live.emit({ type: "live.text", conversation, turn: "t1", step: 1, delta });
  expect(told).toEqual(["one "]);
  reader.take(100);
  await expect.poll(() => told).toEqual(["one ", "live.text_reset", "one two three"]);
  stop();
});

test("words that are more than the reader takes at once come to their end, each of them once", async () => {
  const { live, deps, log } = await scene();
  const turns = ["t1", "t2", "t3"];
  const emit = (delta: string) => {
    for (const turn of turns) live.emit({ type: "live.text", conversation, turn, step: 1, delta });
  };
  emit("x".repeat(50));
  const reader = slowSink(1);
  const has = new Map<string, string>();
  let resets = 0;
  const sink: Sink = {
    ...reader.sink,
    write(followed) {
      reader.sink.write(followed);
      if (followed.type === "live.text_reset") resets += 1;
      if (followed.type === "live.text_reset") has.set(followed.turn, "");
      if (followed.type === "live.text") has.set(followed.turn, (has.get(followed.turn) ?? "") + followed.delta);
    },
  };
  const stop = followLog(deps, { since: 0, selection: wholeLog(log) }, sink);
  for (const piece of "abcdefgh") {
    emit(piece);
    reader.take(1);
    await new Promise(setImmediate);
  }
  reader.take(100);
  const whole = `${"x".repeat(50)}abcdefgh`;
  await expect.poll(() => turns.map((turn) => has.get(turn))).toEqual([whole, whole, whole]);
  expect(resets).toBe(3);
  live.emit({ type: "live.text_reset", conversation, turn: "t1", step: 1 });
  live.emit({ type: "live.text", conversation, turn: "t1", step: 1, delta: "anew" });
  await expect.poll(() => has.get("t1")).toBe("anew");
  stop();
});

test("a reader whose log cannot be read is cut off, so that it comes again", async () => {
  const { log, deps, troubles } = await scene();
  await log.append([title("unreadable")]);
  const broken: Selection = {
    read: () => Promise.reject(new Error("disk")),
    includes: () => true,
  };
  const reader = slowSink(100);
  followLog(deps, { since: 0, selection: broken }, reader.sink);
  await expect.poll(reader.isClosed).toBe(true);
  expect(troubles).toEqual(["A client could not be told what happened."]);
});
