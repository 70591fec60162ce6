// What can be ordered in a chat. Everything goes through the same methods that the terminal and the page call.

import { ThinkingLevel } from "../../contract/model.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import { fence } from "../fence.ts";
import { findSeen, groupLine } from "../groups/group-words.ts";
import type { IntakeDeps } from "../intake/intake-deps.ts";
import { type ChatPlace, commandSign } from "./chat-place.ts";
import { amounts } from "./usage-line.ts";

export type ChatCommand = {
  /** all: any member of a group. owner: there, only whoever may talk as the owner elsewhere. never: only in their own chat. */
  inGroups: "all" | "owner" | "never";
  hint?: string;
  summary: string;
  /** Done a second time it does no harm. */
  mayRepeat?: true;
  /** What is answered; nothing, where what happens says it. */
  run(deps: IntakeDeps, place: ChatPlace, rest: string, reason?: string): Promise<string>;
};

const longestStopMs = 15_000;

export const chatCommands: Readonly<Record<string, ChatCommand>> = {
  start: { inGroups: "all", summary: "Hello", run: async (deps, place) => `Hello. ${helpText(deps, place)}` },
  help: { inGroups: "all", summary: "This list", run: async (deps, place) => helpText(deps, place) },
  new: {
    inGroups: "owner",
    summary: "Begin anew: what was said before is no longer read",
    async run(deps, place) {
      const client = clientOf(deps, place);
      await client.call("chat.abort", { sessionKey: place.conversation }).catch(ignoreRefusal);
      const untilMs = deps.world.nowMs() + longestStopMs;
      // what is being stopped needs a moment to end
      while ((await deps.ledger.turnIn(place.conversation)) !== undefined && deps.world.nowMs() < untilMs)
        await deps.sleep(100, new AbortController().signal);
      await client.call("sessions.renew", { sessionKey: place.conversation });
      return "A new conversation. What do you need?";
    },
  },
  stop: {
    inGroups: "all",
    summary: "Stop what I am doing here",
    mayRepeat: true,
    async run(deps, place) {
      // members may stop what is done for them, and stay who they are
      const { ok } = await deps.client(place.sender).call("chat.abort", { sessionKey: place.conversation });
      return ok ? "" : "I am not doing anything here.";
    },
  },
  status: { inGroups: "owner", summary: "How I am, and what waits for you", run: status },
  usage: {
    inGroups: "never",
    summary: "What models have cost today and in the last 30 days",
    async run(deps, place) {
      const now = deps.world.nowMs();
      const { rows, timeZone } = await clientOf(deps, place).call("usage.get", {
        sinceMs: Math.max(0, now - 30 * 86_400_000),
      });
      const today = new Date(now).toLocaleDateString("sv-SE", { timeZone });
      return `Today: ${amounts(rows.filter(({ day }) => day === today))}\nLast 30 days: ${amounts(rows)}`;
    },
  },
  model: {
    inGroups: "never",
    hint: "provider/model",
    summary: "Show the model, or use another one everywhere",
    run: (deps, place, rest) => chooseEverywhere(deps, place, "agent.model", rest, "model"),
  },
  thinking: {
    inGroups: "never",
    hint: ThinkingLevel.options.join("|"),
    summary: "Show how long I think, or change it everywhere",
    async run(deps, place, rest) {
      const level = ThinkingLevel.safeParse(rest.toLowerCase());
      if (rest !== "" && !level.success) return `Write one of ${ThinkingLevel.options.join(", ")}.`;
      return chooseEverywhere(deps, place, "agent.thinking", rest.toLowerCase(), "thinking");
    },
  },
  agent: {
    inGroups: "owner",
    hint: "name or provider/model",
    summary: "Show who answers here, or choose another agent or model for this chat",
    run: chooseHere,
  },
  undo: {
    inGroups: "owner",
    summary: "Take back the last change to files made here",
    run: async (deps, place) =>
      (await clientOf(deps, place).call("changes.undo", { sessionKey: place.conversation })).output,
  },
  approve: {
    inGroups: "owner",
    hint: "letters",
    summary: "Say yes to what waits",
    run: (...asked) => decide("approved", ...asked),
  },
  deny: { inGroups: "owner", hint: "letters", summary: "Say no to it", run: (...asked) => decide("denied", ...asked) },
  pair: {
    inGroups: "never",
    summary: "A code that lets another account of yours in",
    async run(deps, place) {
      const { code } = await clientOf(deps, place).call("channels.pair", {});
      return `Write \`${code}\` to me from the other account within an hour. Whoever does may talk as you.`;
    },
  },
  groups: { inGroups: "never", summary: "The groups in which I answer", run: listGroups },
  addgroup: {
    inGroups: "never",
    hint: "name",
    summary: "Answer in a group that I have been added to",
    async run(deps, place, rest) {
      const client = clientOf(deps, place);
      const { seen, groups } = await client.call("groups.list", {});
      const chat = findSeen(seen, rest, groups.length > 0);
      if (typeof chat === "string") return chat;
      const group = await client.call("groups.register", {
        channel: chat.channel,
        address: chat.address,
        title: chat.title,
      });
      return `“${group.title}” is a group now. I answer there when somebody mentions me, or begins a message with ${group.options.trigger ?? `@${deps.settings.agent.name}`}.`;
    },
  },
  removegroup: {
    inGroups: "never",
    hint: "name",
    summary: "Stay silent in a group from now on",
    async run(deps, place, rest) {
      const client = clientOf(deps, place);
      const { groups } = await client.call("groups.list", {});
      const group = groups.find(({ name, title }) => [name, title.toLowerCase()].includes(rest.toLowerCase()));
      if (!group && rest === "") return `Which one? ${await listGroups(deps, place)}`;
      if (!group) return `There is no group called “${rest}”. ${await listGroups(deps, place)}`;
      await client.call("groups.remove", { group: group.name });
      return `I stay silent in “${group.title}” from now on. Its folder and what was said are kept.`;
    },
  },
};

function helpText({ settings }: IntakeDeps, place: ChatPlace): string {
  const { group, mayCommand } = place;
  const sign = commandSign(place);
  const shown = Object.entries(chatCommands).filter(
    ([name, { inGroups }]) =>
      name !== "start" && (!group || inGroups === "all" || (mayCommand && inGroups === "owner")),
  );
  const lines = shown.map(([name, { hint, summary }]) => `- ${sign}${name}${hint ? ` <${hint}>` : ""}: ${summary}`);
  const how = group
    ? `Mention me, or begin a message with ${group.options.trigger ?? `@${settings.agent.name}`}, and say what you need.`
    : "Write what you need, in your own words.";
  return [how, "", ...lines].join("\n");
}

async function status(deps: IntakeDeps, place: ChatPlace): Promise<string> {
  const { model, working } = await clientOf(deps, place).call("health.check", {});
  const { length: waiting } = await approvalsSeenFrom(deps, place);
  const waits =
    waiting === 0
      ? "Nothing waits for you."
      : `${waiting} waiting for your yes: ${commandSign(place)}approve shows them.`;
  if (place.group) return [`Model: ${place.group.options.model ?? model}`, waits].join("\n");
  return [`Model: ${model}`, `At work in ${working} conversation${working === 1 ? "" : "s"}. ${waits}`].join("\n");
}

type EverywhereKey = "agent.model" | "agent.thinking";

async function chooseEverywhere(
  deps: IntakeDeps,
  place: ChatPlace,
  key: EverywhereKey,
  wanted: string,
  word: string,
): Promise<string> {
  const client = clientOf(deps, place);
  if (wanted === "") {
    if (key === "agent.thinking") return `Thinking: ${deps.settings.agent.thinking}`;
    const { models, chosen } = await client.call("models.list", {});
    const names = models.slice(0, 40).map(({ name }) => `- ${name}${name === chosen ? " (in use)" : ""}`);
    return [`Model: ${chosen}`, ...names].join("\n");
  }
  const { revision } = await client.call("settings.get", {});
  const saved = await client.call("settings.set", { revision, changes: [{ key, value: wanted }] });
  if (!saved.saved) return saved.problems.map(({ message }) => message).join("\n");
  await client.call("settings.apply", {});
  return `From now on, everywhere: ${word} ${wanted}.`;
}

async function chooseHere(deps: IntakeDeps, place: ChatPlace, rest: string): Promise<string> {
  const { conversation: sessionKey } = place;
  const client = clientOf(deps, place);
  if (rest === "") {
    const { session } = await client.call("sessions.get", { sessionKey, limit: 1 });
    const { chosen } = await client.call("models.list", {});
    return `Here answers ${session.agent ?? deps.settings.agent.default} with ${session.model ?? place.group?.options.model ?? chosen}.`;
  }
  const { group } = place;
  if (group && rest.includes("/")) {
    await client.call("groups.change", { group: group.name, options: { ...group.options, model: rest } });
    return `In this group I use ${rest} from now on.`;
  }
  if (rest.includes("/")) {
    await client.call("sessions.configure", { sessionKey, model: rest });
    return `Here I use ${rest} from now on.`;
  }
  if (place.group) return "Write a model, such as anthropic/claude-sonnet-4-5.";
  await client.call("sessions.configure", { sessionKey, agent: rest });
  return `Here ${rest} answers from now on.`;
}

/** Named by the last letters of its id, which mean the same question a moment later. */
const handleLength = 5;
const longestShown = 1_500;

async function decide(
  decision: "approved" | "denied",
  deps: IntakeDeps,
  place: ChatPlace,
  rest: string,
  reason?: string,
): Promise<string> {
  const client = clientOf(deps, place);
  const approvals = await approvalsSeenFrom(deps, place);
  if (approvals.length === 0) return "Nothing waits for an answer.";
  const shownHere = new Set((await deps.ledger.questionsIn(place.conversation)).map(({ approvalId }) => approvalId));
  const wanted = rest.replace(/^#/, "").toLowerCase();
  const fitting =
    wanted === ""
      ? approvals.filter(({ approvalId }) => shownHere.has(approvalId))
      : approvals.filter(
          ({ approvalId }) => approvalId.toLowerCase().endsWith(wanted) && wanted.length >= handleLength,
        );
  const [chosen, ...others] = fitting;
  if (!chosen || others.length > 0) return listQuestions(approvals, decision, commandSign(place));
  const { answered } = await client.call("approvals.answer", { approvalIds: [chosen.approvalId], decision, reason });
  if (answered === 0) return "That was answered already.";
  return `${decision === "approved" ? "Approved" : "Denied"}: ${chosen.tool}.`;
}

/** All of a group read along, and what waits elsewhere is not theirs to see. */
async function approvalsSeenFrom(deps: IntakeDeps, place: ChatPlace): Promise<readonly OpenApproval[]> {
  const { approvals } = await clientOf(deps, place).call("approvals.list", {});
  const asksHere = async (sessionKey: string) => (await deps.ledger.groupOf(sessionKey))?.name === place.group?.name;
  const isSeen = await Promise.all(approvals.map(({ sessionKey }) => !place.group || asksHere(sessionKey)));
  return approvals.filter((_, at) => isSeen[at]);
}

function listQuestions(approvals: readonly OpenApproval[], decision: "approved" | "denied", sign: string): string {
  const lines = approvals.slice(0, 10).map(({ approvalId, tool, display }) => {
    const isWhole = display.length <= longestShown;
    const handle = approvalId.slice(-handleLength);
    // what is not shown whole is not to be answered here
    return isWhole
      ? `#${handle} ${tool}:\n${fence(display)}`
      : `${tool}: too long to be shown here. Answer it in the Inbox.`;
  });
  const command = decision === "approved" ? "approve" : "deny";
  return [`Waiting for you: ${approvals.length}. Write ${sign}${command} and the letters behind #:`, ...lines].join(
    "\n\n",
  );
}

async function listGroups(deps: IntakeDeps, place: ChatPlace): Promise<string> {
  const { groups, seen } = await clientOf(deps, place).call("groups.list", {});
  const answered = groups.map((group) => groupLine(group, deps.settings.agent.name));
  const silent = seen.map(({ title, channel }, at) => `${at + 1}. ${title} (${channel})`);
  return [
    ...(answered.length === 0 ? ["I answer in no group yet."] : ["I answer in:", ...answered]),
    ...(silent.length === 0
      ? []
      : ["", `I am silent in (add one with ${commandSign(place)}addgroup and its name or number):`, ...silent]),
  ].join("\n");
}

function clientOf(deps: IntakeDeps, { sender }: ChatPlace) {
  // who may command has been looked at before
  return deps.client({ ...sender, kind: "owner" });
}

function ignoreRefusal(cause: unknown): void {
  // there was nothing to stop
  if (!(cause instanceof CallRefused)) throw cause;
}
