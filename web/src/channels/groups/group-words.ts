// What a group may do, in plain words.
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { count, formatDuration } from "../../../../src/contract/words/amounts.ts";

export type ShownGroup = MethodResult<"groups.list">["groups"][number];
export type GroupOptions = ShownGroup["options"];

/** Said wherever a group is made or looked at. */
export const isolationWords =
  "Its own folder, memory, conversation and sandbox; it sees nothing of yours or of other groups.";

export const modeNames: Readonly<Record<GroupOptions["mode"], string>> = {
  ask: "Asks you before it changes anything",
  auto: "Changes things in its own folder without asking",
  deny: "Changes nothing, only reads and answers",
};

export const modeMeanings: Readonly<Record<GroupOptions["mode"], string>> = {
  ask: "Whatever members want changed waits for your yes, here or in your own chat.",
  auto: "Files in the group's own folder and harmless commands go through; anything else still waits for you.",
  deny: "Whatever would change something is refused at once, and nobody is asked.",
};

export const sandboxNames: Readonly<Record<GroupOptions["sandbox"]["kind"], string>> = {
  auto: "The same as yours",
  bwrap: "bubblewrap",
  podman: "Podman, a container for each command",
  docker: "Docker, a container for each command",
  "apple-container": "Apple's container, one for each command",
};

export function triggerWords({ trigger, needsTrigger }: Pick<GroupOptions, "trigger" | "needsTrigger">): string {
  if (!needsTrigger) return "Answers every message";
  return trigger === null ? "Answers when it is called by its name" : `Answers when a message begins with “${trigger}”`;
}

/** What its commands run in, a line for each of its parts. */
export function sandboxLines({ sandbox }: Pick<GroupOptions, "sandbox">): readonly string[] {
  const { kind, allowedHosts, additionalMounts, timeoutSeconds, credentials } = sandbox;
  const mounts = additionalMounts.map(({ hostPath, readonly }) => `${hostPath}${readonly ? "" : " (may change it)"}`);
  return [
    allowedHosts.length === 0 ? "Its commands reach no network" : `Its commands reach ${listed(allowedHosts)}`,
    mounts.length === 0 ? "They see the group's folder only" : `They see the group's folder and ${listed(mounts)}`,
    ...(credentials.length === 0 ? [] : [`They may use your sign-in for ${listed(credentials)}`]),
    ...(kind === "auto" ? [] : [`They run in ${sandboxNames[kind]}`]),
    `A command is ended after ${formatDuration(timeoutSeconds * 1_000)}`,
  ];
}

function listed(names: readonly string[]): string {
  const most = 4;
  if (names.length <= most) return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
  return `${names.slice(0, most - 1).join(", ")} and ${count(names.length - most + 1, "other")}`;
}
