// What is left to do until a channel works. Nothing is kept here: every answer is read from what the gateway tells.
import type { ShownChannel } from "../../../../src/contract/wire/methods/channels.ts";
import type { ChannelName } from "../../words.ts";
import { isRunning } from "../channel-words.ts";
import { type ChannelValues, listOf, textOf } from "../save-settings.ts";

/** make: at the platform. settings: addresses. answer: whose mails. follow: on the phone. */
export type StepName = "make" | "settings" | "secrets" | "answer" | "follow" | "on" | "pair" | "test";
export type Step = { name: StepName; isDone: boolean; isOptional: boolean };

const ofBots = ["make", "secrets", "on", "pair", "test"] as const;
const orders: Readonly<Record<ChannelName, readonly StepName[]>> = {
  telegram: ofBots,
  slack: ofBots,
  discord: ofBots,
  email: ["settings", "secrets", "answer", "on", "test"],
  ntfy: ["settings", "follow", "on", "test"],
};

/** A message that came through is seen by whoever sits there, and is not remembered. */
export function setupSteps(channel: ShownChannel, values: ChannelValues, hasTested: boolean): readonly Step[] {
  const isOn = isRunning(channel);
  const hasSecrets = channel.secrets.every(({ found }) => found);
  const done: Readonly<Record<StepName, boolean>> = {
    make: hasSecrets,
    settings: hasSettings(channel.name, values),
    // a token that the platform does not take is as good as none
    secrets: hasSecrets && channel.state !== "refused",
    answer: listOf(values, "allowedUserIds").length > 0 && textOf(values, "authServer") !== "",
    follow: isOn,
    on: isOn,
    pair: channel.people.length > 0,
    test: hasTested,
  };
  return orders[channel.name].map((name) => ({ name, isDone: done[name], isOptional: name === "answer" }));
}

/** The first that is left to do; one that may be left out is passed over once a later one is done. */
export function nextStep(steps: readonly Step[]): StepName | undefined {
  return steps.find((step, at) => {
    const isPassed = step.isOptional && steps.slice(at + 1).some((later) => later.isDone);
    return !step.isDone && !isPassed;
  })?.name;
}

/** Whether messages can come and go; a last test message is no part of that. */
export function isSetUp(steps: readonly Step[]): boolean {
  return steps.every((step) => step.isDone || step.isOptional || step.name === "test");
}

function hasSettings(name: ChannelName, values: ChannelValues): boolean {
  const needed = name === "email" ? ["address", "imapHost", "smtpHost"] : name === "ntfy" ? ["topic"] : [];
  return needed.every((key) => textOf(values, key) !== "");
}
