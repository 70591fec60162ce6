// The real program beside a platform that lives on: killed at one moment, started again, and what the platform shows in the end.
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import type { GatewayClient } from "../../../src/contract/wire/client.ts";
import { openSqliteReader } from "../../../src/store/database/sqlite-reader.ts";
import { readEvent } from "../../../src/store/log/event-row.ts";
import { eventually } from "../eventually.ts";
import { clientOf, ended, spawnSteward, writeSettings } from "../steward-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type KillPlatform = {
  name: "telegram" | "slack" | "discord" | "email" | "ntfy";
  settings: Readonly<Record<string, unknown>>;
  environment: Readonly<Record<string, string>>;
};

/** Whether the platform has got what it holds back; Steward dies then. */
type Hold = () => boolean | Promise<boolean>;

export type Moment<Platform> = { name: string } & ({ killAt: string } | { hold(platform: Platform): Hold });

/** A platform on which people write; a place is a chat or a thread of it. */
export type TalkingPlatform = KillPlatform & {
  prepare?(client: GatewayClient): Promise<unknown>;
  /** Where people have been answered before the kill. */
  places: readonly [string, string];
  /** Where somebody writes for the first time when Steward is killed; only if the platform repeats what was not acknowledged. */
  newPlace?: string;
  say(place: string, words: string): unknown;
  /** What Steward has said there, oldest first. */
  shown(place: string): readonly string[] | Promise<readonly string[]>;
  /** Ends what `hold` has begun. */
  letGo?(): void;
};

type KillCount = { kills: number; messages: number; repeated: number; marked: number };

const steps =
  "message.received chat.met turn.started step.finished reply.written reply.sending reply.sent reply.delivered";

/** Before and after each step of an answer. The first one is of what was said while Steward was away. */
export const momentsOfAnAnswer = momentsOf(steps.split(" "));

export function momentsOf(types: readonly string[], nth = 2): readonly { name: string; killAt: string }[] {
  return types.flatMap((type) => [
    { name: `right before ${type} is on disk`, killAt: `${type}:before:1` },
    { name: `right after ${type} is on disk`, killAt: `${type}:after:${type === "chat.met" ? 1 : nth}` },
  ]);
}

const mark = "This may be a repeat";

export async function expectAnsweredOnce<Platform extends TalkingPlatform>(
  platform: Platform,
  moment: Moment<Platform>,
  { modelPort, mayRepeat = false }: { modelPort: number; mayRepeat?: boolean },
): Promise<KillCount> {
  const steward = await openKillable(platform, modelPort);
  const { places, newPlace } = platform;
  const [one, other] = places;
  const said = new Map<string, string[]>();
  await steward.living(async (client) => {
    await platform.prepare?.(client);
    for (const place of places) await say(place);
    await untilAnswered();
  });
  await say(one);
  await steward.dying(moment, async () => {
    for (const place of [other, one]) await say(place);
    if (newPlace) await say(newPlace);
  });
  platform.letGo?.();
  await say(other);
  await say(one);
  await steward.living(async () => {
    if (newPlace && !said.has(newPlace)) await say(newPlace);
    await untilAnswered();
    // answers of one place go out in order, so that nothing is under way any more once this one is there
    for (const place of said.keys()) await say(place);
    await untilAnswered();
  });
  return judge(await steward.events());

  async function say(place: string): Promise<void> {
    const words = `word-${[...said.values()].flat().length + 1}.`;
    said.set(place, [...(said.get(place) ?? []), words]);
    await platform.say(place, words);
  }

  async function untilAnswered(): Promise<void> {
    for (const [place, words] of said)
      await eventually(async () => wordsIn(await platform.shown(place)), expect.arrayContaining(words));
  }

  async function judge(events: readonly Event[]): Promise<KillCount> {
    const count = { kills: 1, messages: [...said.values()].flat().length, repeated: 0, marked: 0 };
    for (const [place, words] of said) {
      const shown = (await platform.shown(place)).filter((text) => wordsIn([text]).length > 0);
      const repeats = shown.filter((text) => mayRepeat && text.includes(mark));
      const once = shown.filter((text) => !repeats.includes(text) || !isBefore(shown, text));
      count.marked += repeats.length;
      count.repeated += shown.length - once.length;
      expect(wordsIn(once), `what ${place} shows`).toEqual(words);
    }
    const received = events.flatMap((event) => (event.type === "message.received" ? wordsIn([event.text]) : []));
    expect(received.toSorted()).toEqual([...said.values()].flat().toSorted());
    return count;
  }
}

/** Whether the same answer stands there already. */
function isBefore(shown: readonly string[], text: string): boolean {
  return wordsIn(shown.slice(0, shown.indexOf(text))).includes(wordsIn([text])[0] ?? "");
}

function wordsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => /word-\d+\./.exec(text)?.[0] ?? []);
}

/** Steward in a home of its own, of which one process after the other lives. */
export async function openKillable(platform: KillPlatform, modelPort: number) {
  const home = await temporaryFolder();
  await writeSettings(home, modelPort, {
    // each message has a turn of its own, so that each has an answer of its own
    queue: { whenBusy: "wait", maxWaiting: 1000 },
    channels: { [platform.name]: { enabled: true, ...platform.settings }, askElsewhereAfterSeconds: 0 },
  });
  return { home, living, dying, events };

  /** Alive and connected while `work` goes on; goes down when it is done, as it should. */
  async function living(work: (client: GatewayClient) => Promise<unknown>): Promise<void> {
    const { child, client, troubles } = await begin({});
    try {
      if (!client) throw new Error(`Steward did not start: ${troubles()}`);
      await eventually(() => isConnected(client));
      await work(client);
    } catch (cause) {
      throw new Error(`${cause instanceof Error ? cause.message : cause}\nSteward said: ${troubles()}`, { cause });
    }
    child.kill("SIGTERM");
    expect(await ended(child)).toBe(0);
  }

  /** Dies at this moment: maybe before `work` begins, surely some time after. */
  async function dying<Platform extends KillPlatform>(
    moment: Moment<Platform>,
    work: (client: GatewayClient, isOver: () => Promise<boolean>) => Promise<unknown>,
  ): Promise<void> {
    const { child, client, troubles } = await begin("killAt" in moment ? { KILL_AT: moment.killAt } : {});
    const isConnectedYet = () => client && isConnected(client).catch(() => hasEnded(child));
    if (client) await eventually(async () => hasEnded(child) || (await isConnectedYet()));
    const hold = "hold" in moment ? moment.hold(platform as unknown as Platform) : undefined;
    const isOver = async () => hasEnded(child) || (await hold?.()) === true;
    // what it is asked for when it dies is not answered
    let refusal: unknown;
    if (client && !hasEnded(child))
      await work(client, isOver).catch((cause) => {
        refusal = cause;
      });
    await eventually(isOver).catch((cause: unknown) => {
      throw new Error(`Steward did not come to the moment. ${refusal ?? ""} It said: ${troubles()}`, { cause });
    });
    expect(hasEnded(child), troubles()).toBe(hold === undefined);
    child.kill("SIGKILL");
    expect(await ended(child)).toBe("SIGKILL");
  }

  async function begin(environment: Record<string, string>) {
    const child = spawnSteward({
      ...{ home, preload: "./tests/scenes/kill-at-event.ts" },
      environment: { ...platform.environment, ...environment },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let troubles = "";
    const hear = (bytes: Buffer) => {
      troubles += bytes;
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    return { child, client: await clientOf(child, home), troubles: () => troubles };
  }

  async function isConnected(client: GatewayClient): Promise<boolean> {
    const { channels } = await client.call("channels.list", {});
    return channels.find(({ name }) => name === platform.name)?.state === "connected";
  }

  async function events(): Promise<readonly Event[]> {
    const reader = openSqliteReader(join(home, "data", "steward.db"));
    const rows = await reader.query("SELECT * FROM events ORDER BY seq");
    reader.close();
    return rows.map(readEvent);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
