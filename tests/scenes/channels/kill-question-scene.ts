// A question to the owner while Steward is killed: in the end it has been asked, and what it asks for done, once.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { GatewayClient } from "../../../src/contract/wire/client.ts";
import { eventually } from "../eventually.ts";
import { type KillPlatform, type Moment, openKillable } from "./kill-scene.ts";

type Question = { text: string; press(): unknown };

/** A platform on which the owner is asked. */
export type AskingPlatform = KillPlatform & {
  /** The owner wishes for something; the same number is the same wish, however often it is said. */
  wish(client: GatewayClient, number: number, words: string): unknown;
  /** What stands there and can be pressed, oldest first. */
  questions(): readonly Question[];
  /** Every question that has ever been there, pressed or not. */
  asked(): readonly string[];
  letGo?(): void;
};

type KillCount = { kills: number; questions: number; repeated: number; marked: number };

const mark = "This may be a repeat";

export async function expectAskedOnce<Platform extends AskingPlatform>(
  platform: Platform,
  moment: Moment<Platform>,
  { modelPort, mayRepeat = false }: { modelPort: number; mayRepeat?: boolean },
): Promise<KillCount> {
  const steward = await openKillable(platform, modelPort);
  const pressed = new Set<number>();
  // one is answered at once, one maybe while Steward is away, one when it is back
  await steward.dying(moment, async (client, isOver) => {
    await platform.wish(client, 1, wordsOf(1));
    await eventually(async () => press(1) || (await isOver()));
    await platform.wish(client, 2, wordsOf(2));
    await eventually(async () => isThere(2) || (await isOver()));
  });
  platform.letGo?.();
  press(2);
  await steward.living(async (client) => {
    for (const number of [1, 2, 3]) {
      await platform.wish(client, number, wordsOf(number));
      await eventually(() => pressed.has(number) || press(number));
      await eventually(() => readFile(join(steward.home, "workspace", fileOf(number)), "utf8"), "done");
    }
    // where nothing can be looked up, Steward knows of the question it was killed over only that it may stand there
    const known = mayRepeat ? [3] : [1, 2, 3];
    await eventually(() => known.filter(isThere), []);
  });
  return judge();

  function press(number: number): boolean {
    const question = platform.questions().findLast(({ text }) => text.includes(fileOf(number)));
    if (!question || pressed.has(number)) return false;
    pressed.add(number);
    question.press();
    return true;
  }

  function isThere(number: number): boolean {
    return platform.questions().some(({ text }) => text.includes(fileOf(number)));
  }

  async function judge(): Promise<KillCount> {
    const events = await steward.events();
    const problems: string[] = [];
    const count = { kills: 1, questions: 3, repeated: 0, marked: 0 };
    const asks = events.flatMap((event) => (event.type === "approval.asked" ? [event.approvalId] : []));
    if (asks.length !== 3) problems.push(`${asks.length} questions were asked`);
    for (const id of asks) {
      const answers = events.filter((event) => event.type === "approval.answered" && event.approvalId === id);
      if (answers.length !== 1) problems.push(`${id} was answered ${answers.length} times`);
      if (!JSON.stringify(answers).includes('"approved"')) problems.push(`${id} was not approved`);
    }
    const done = events.filter((event) => event.type === "tool.returned" && event.outcome === "done");
    if (done.length !== 3) problems.push(`${done.length} of 3 things were done`);
    for (const number of [1, 2, 3]) {
      const shown = platform.asked().filter((text) => text.includes(fileOf(number)));
      const repeats = shown.slice(1).filter((text) => mayRepeat && text.includes(mark));
      count.marked += shown.filter((text) => text.includes(mark)).length;
      count.repeated += repeats.length;
      if (shown.length - repeats.length !== 1) problems.push(`question ${number} was there ${shown.length} times`);
    }
    expect(problems).toEqual([]);
    return count;
  }
}

function fileOf(number: number): string {
  return `wish-${number}.txt`;
}

function wordsOf(number: number): string {
  return `TOOL:write:${JSON.stringify({ path: fileOf(number), content: "done" })}END`;
}
