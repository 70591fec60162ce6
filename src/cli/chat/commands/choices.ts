import type { ThinkingLevel } from "../../../contract/model.ts";
import { nearestName } from "../../../contract/names/nearest-name.ts";
import { formatTokens } from "../../../contract/words/amounts.ts";
import { visibleLine } from "../../visible-text.ts";
import { modelOf } from "../chat-state.ts";
import type { Chat } from "../open-chat.ts";
import { type Choice, type CommandOutcome, said } from "./command-outcome.ts";

type Named = Pick<Choice, "value">;

const thinkingLevels: readonly { value: ThinkingLevel; description: string }[] = [
  { value: "off", description: "answers at once" },
  { value: "low", description: "a little" },
  { value: "medium", description: "some" },
  { value: "high", description: "long" },
  { value: "max", description: "as long as it wants" },
];

export async function chooseSession(chat: Chat, key: string): Promise<CommandOutcome> {
  const { sessions } = await chat.call("sessions.list", {});
  const choices = sessions
    .toSorted((one, other) => other.lastAtMs - one.lastAtMs)
    .map((session) => ({
      value: session.sessionKey,
      label: session.sessionKey,
      description: visibleLine(
        [session.title, session.state === "idle" ? "" : session.state].filter(Boolean).join(" · "),
        80,
      ),
      current: session.sessionKey === chat.state().key,
    }));
  if (key === "") return offer("Conversations", "sessions", choices);
  // a conversation of the terminal begins with its first message
  const found = pick(choices, key) ?? (key.startsWith("terminal--") ? key : undefined);
  if (found === undefined) return unknownName("conversation", key, choices, "/sessions lists them.");
  await chat.switchTo(found);
  return said(`This is ${found}.`);
}

export async function chooseModel(chat: Chat, name: string): Promise<CommandOutcome> {
  const { models, chosen } = await chat.call("models.list", {});
  const choices = models.map((model) => ({
    value: model.name,
    label: visibleLine(model.name, 60),
    description: `${formatTokens(model.contextTokens)} tokens · ${visibleLine(model.source, 60)}`,
    current: model.name === (modelOf(chat.state()) ?? chosen),
  }));
  if (name === "") return offer("Models", "model", choices);
  const found = name === "default" ? null : pick(choices, name);
  if (found === undefined) return unknownName("model", name, choices, "/model lists them.");
  await chat.call("sessions.configure", { sessionKey: chat.state().key, model: found });
  if (found === null) return said(`This conversation uses the usual model again: ${chosen}`);
  return said(`This conversation now uses ${found}.`);
}

/** The model that a name or a part of it stands for. */
export async function findModel(
  { call }: Pick<Chat, "call">,
  name: string,
): Promise<{ ok: true; model: string } | { ok: false; problem: string }> {
  const { models } = await call("models.list", {});
  const choices = models.map((model) => ({ value: model.name }));
  const model = pick(choices, name);
  return model === undefined ? { ok: false, problem: unknownWords("model", name, choices, "") } : { ok: true, model };
}

export async function chooseThinking(chat: Chat, name: string): Promise<CommandOutcome> {
  const { thinking, key: sessionKey } = chat.state();
  const choices = thinkingLevels.map((level) => ({ ...level, label: level.value, current: level.value === thinking }));
  if (name === "") return offer("How long the model may think", "thinking", choices);
  const found = name === "default" ? null : choices.find(({ value }) => value === name);
  if (found === undefined)
    return unknownName("level", name, choices, `It is one of ${choices.map(({ value }) => value).join(", ")}.`);
  await chat.call("sessions.configure", { sessionKey, thinking: found?.value ?? null });
  return said(found ? `Thinking: ${found.value} (${found.description}).` : "Thinking is as the settings say.");
}

export async function chooseAgent(chat: Chat, id: string): Promise<CommandOutcome> {
  const { agents } = await chat.call("agents.list", {});
  const choices = agents.map((agent) => ({
    value: agent.id,
    label: visibleLine(agent.name, 40),
    description: visibleLine(agent.description, 80),
    current: agent.id === chat.state().agent,
  }));
  if (id === "") return offer("Agents", "agent", choices);
  const found = id === "default" ? null : pick(choices, id);
  if (found === undefined) return unknownName("agent", id, choices, "/agent lists them.");
  await chat.call("sessions.configure", { sessionKey: chat.state().key, agent: found });
  return said(found === null ? "This conversation has the usual agent again." : `This conversation now has ${found}.`);
}

function pick(choices: readonly Named[], typed: string): string | undefined {
  const exact = choices.find((choice) => choice.value === typed);
  if (exact) return exact.value;
  const similar = choices.filter((choice) => choice.value.toLowerCase().includes(typed.toLowerCase()));
  return similar.length === 1 ? similar[0]?.value : undefined;
}

function offer(title: string, command: string, choices: readonly Choice[]): CommandOutcome {
  if (choices.length === 0) return said("There are none yet.");
  return { kind: "choose", title, command, choices };
}

function unknownName(noun: string, typed: string, choices: readonly Named[], otherwise: string): CommandOutcome {
  return said(unknownWords(noun, typed, choices, otherwise), "warning");
}

function unknownWords(noun: string, typed: string, choices: readonly Named[], otherwise: string): string {
  const meant = nearestName(
    typed,
    choices.map(({ value }) => value),
  );
  return `There is no ${noun} “${visibleLine(typed, 100)}”. ${meant ? `Did you mean ${meant}?` : otherwise}`.trim();
}
