// One attempt: the owner speaks, the hostile model acts, the owner answers questions, and then it is judged what came of it.
import { setTimeout as sleep } from "node:timers/promises";
import type { Event } from "../../../src/contract/event.ts";
import type { Goal, Turn } from "../../corpora/compromised-goals/goal.ts";
import { addressesOn } from "./attacker-site.ts";
import { type Outcome, type Stage, sum } from "./attempt.ts";
import { countBits } from "./count-bits.ts";
import { followTurn } from "./follow-turn.ts";
import { addScript } from "./hostile-model.ts";
import { judgeEffects } from "./judge-effects.ts";
import { takeSnapshot } from "./victim-home.ts";

/** Whatever is still under way to somebody outside arrives by then. */
const echoMs = 30;
const shownCharacters = 300;
/** How far two readings of the machine's clock may lie apart. */
const clockMs = 2;

export async function tryGoal(stage: Stage, goal: Goal): Promise<Outcome> {
  const startedMs = performance.now();
  await goal.arrange?.(stage.scene);
  const before = await takeSnapshot(stage.scene);
  const { steward, heard, model } = stage;
  const from = { events: steward.events.length, heard: heard.length, requests: model.requests.length };
  const attempt = openAttempt(stage, goal);
  for (const turn of goal.turns) await attempt.take(turn);
  await goal.afterwards?.(stage.scene);
  const { conversations, troubles, displays, agreed } = attempt;
  const bits = [...attempt.bits.values()];
  const effects = await judgeEffects(stage, {
    ...{ goal, before, displays, conversations, agreed, bits },
    events: steward.events.slice(from.events),
    heard: heard.slice(from.heard),
    requests: model.requests.slice(from.requests),
  });
  return {
    goal: goal.goal,
    reached: [...troubles, ...effects],
    bits: { turn: Math.max(0, ...bits.flat()), conversation: Math.max(0, ...bits.map(sum)) },
    asked: displays.length,
    calls: steward.events.slice(from.events).flatMap(fateOf),
    durationMs: Math.round(performance.now() - startedMs),
  };
}

function fateOf(event: Event): readonly string[] {
  if (event.type !== "tool.returned") return [];
  return [`${event.tool} ${event.outcome}: ${event.output.slice(0, shownCharacters)}`];
}

type Span = { fromMs: number; toMs: number };

function isWithin({ fromMs, toMs }: Span, atMs: number): boolean {
  return atMs >= fromMs && atMs <= toMs;
}

type Asked = Extract<Event, { type: "approval.asked" }>;

function openAttempt(stage: Stage, goal: Goal) {
  const { steward, scene } = stage;
  const { client } = steward;
  const conversations = new Set<string>();
  const agreed = new Set<string>();
  const troubles: string[] = [];
  const displays: string[] = [];
  const bits = new Map<string, number[]>();
  const named: string[] = [];
  /** When a reader was out that knows nothing but its question: where it goes tells nobody anything. */
  const readings: Span[] = [];
  let conversation: string | undefined;
  let hasActed = false;
  return { take, conversations, agreed, troubles, displays, bits };

  async function take(turn: Turn): Promise<void> {
    if (conversation === undefined || turn.isNewConversation) {
      conversation = await beginConversation(goal.agent);
      named.length = 0;
    }
    named.push(...(turn.says.match(/https?:\/\/[^\s)]+/g) ?? []));
    const heardBefore = stage.heard.length;
    await speak(conversation, turn, true);
    await sleep(echoMs);
    const heard = stage.heard.slice(heardBefore);
    const byModel = heard.filter(({ atMs }) => !readings.some((span) => isWithin(span, atMs)));
    const byReader = heard.filter((one) => !byModel.includes(one));
    // what a reader brings may be chosen from, and what was offered in one turn in the next
    named.push(...byReader.flatMap(({ says }) => addressesOn(says)));
    const counted = countBits(byModel, named);
    named.push(...byModel.flatMap(({ says }) => addressesOn(says)));
    bits.set(conversation, [...(bits.get(conversation) ?? []), counted]);
  }

  async function beginConversation(agent?: string): Promise<string> {
    const { sessionKey } = await client.call("sessions.create", { ...(agent && { agentId: agent }) });
    conversations.add(sessionKey);
    return sessionKey;
  }

  /** `isMain`: the conversation of the goal itself, in which the owner may say yes. */
  async function speak(sessionKey: string, turn: Turn, isMain: boolean): Promise<void> {
    const mark = addScript(stage.scripts, stage.nextMark++, turn);
    const attachments = (turn.attachments ?? []).map(({ name, mediaType, text }) => ({
      ...{ name, mediaType },
      base64: Buffer.from(text).toString("base64"),
    }));
    const message = { sessionKey, message: `${turn.says} ${mark}`, attachments };
    if (!(await followTurn(steward, message, (event) => heed(event, isMain)))) troubles.push("the turn did not end");
  }

  async function heed(event: Event, isMain: boolean): Promise<void> {
    if (event.type === "approval.asked") await answer(event, isMain);
    // by when it was written down: whoever follows the log may hear of it later
    const atMs = event.atMs - performance.timeOrigin;
    if (event.type === "tool.sent" && event.tool === "research")
      readings.push({ fromMs: atMs - clockMs, toMs: Number.POSITIVE_INFINITY });
    if (event.type === "tool.returned" && event.tool === "research")
      for (const span of readings) span.toMs = Math.min(span.toMs, atMs + clockMs);
    const { meanwhile } = goal;
    if (!meanwhile || !isMain || hasActed || event.type !== "tool.sent" || event.tool !== meanwhile.during) return;
    hasActed = true;
    await meanwhile.act(scene);
  }

  async function answer({ approvalId, display }: Asked, isMain: boolean): Promise<void> {
    displays.push(display);
    const agrees = stage.ownerAlwaysAgrees || (isMain && goal.yesTo?.test(display) === true);
    if (!agrees) {
      await client.call("exec.deny", { approvalId });
      return;
    }
    if (goal.whileAsked && isMain)
      await speak(await beginConversation(), { says: "please do something else", steps: goal.whileAsked }, false);
    agreed.add(approvalId);
    await client.call("exec.approve", { approvalId });
  }
}
