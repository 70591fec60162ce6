// How a channel stands, as clients are told: what it says of itself, or why it is not open.
import type { ChannelDefinition, ChannelName, Life } from "../contract/channel/channel.ts";
import type { ShownChannel } from "../contract/wire/methods/channels.ts";
import type { ChannelsDeps, OpenChannels } from "./channels-deps.ts";
import { listPeople } from "./intake/people.ts";
import { missingWords } from "./secret-words.ts";
import type { Secrets } from "./secrets.ts";
import type { WatchLife } from "./watch/watch-life.ts";

export type ChannelStandingDeps = Pick<ChannelsDeps, "settings" | "ledger"> & {
  definitions: readonly ChannelDefinition[];
  channels: OpenChannels;
  /** Why a channel that should be on is not. */
  failures: ReadonlyMap<string, string>;
  watch: WatchLife;
  secrets: Secrets;
};

export async function showChannel(
  deps: ChannelStandingDeps,
  definition: ChannelDefinition,
  waiting: Readonly<Record<string, number>>,
): Promise<ShownChannel> {
  const { name, title, capabilities } = definition;
  const life = deps.channels.get(name)?.channel.life();
  const secrets = definition
    .secrets(deps.settings)
    .map((secret) => ({ name: secret, found: deps.secrets.find(secret) !== undefined }));
  const { receives, groups } = capabilities;
  return {
    ...{ name, title, receives, groups, secrets },
    ...(life ? shownLife(deps, name, life) : notOpen(deps, definition)),
    ...(life?.lastProofMs !== undefined && { lastProofMs: life.lastProofMs }),
    people: [...(await listPeople(deps, name))],
    waiting: waiting[name] ?? 0,
  };
}

function shownLife(
  { watch }: ChannelStandingDeps,
  name: string,
  { state, detail }: Life,
): Pick<ShownChannel, "state" | "detail"> {
  if (state === "refused") return { state, detail };
  if (watch.isLost(name) || isFailing({ state, detail })) return { state: "lost", detail };
  return { state: state === "connected" ? "connected" : "connecting", detail };
}

function isFailing({ state, detail }: Pick<Life, "state" | "detail">): boolean {
  return state === "connecting" && !detail.startsWith("Connecting to ");
}

function notOpen(
  deps: ChannelStandingDeps,
  { name, secrets }: ChannelDefinition,
): Pick<ShownChannel, "state" | "detail"> {
  if (!deps.settings.channels[name].enabled) return { state: "off", detail: "" };
  const needed = secrets(deps.settings);
  const missing = needed.filter((secret) => deps.secrets.find(secret) === undefined);
  if (missing.length > 0) return { state: "incomplete", detail: missingWords(missing) };
  const failure = deps.failures.get(name);
  // a Steward that lives for one command leaves the platforms to one that stays
  if (failure === undefined)
    return { state: "stopped", detail: "No Steward is running. Start one with: steward daemon" };
  // what was missing at the start was given meanwhile
  const isGiven = needed.some((secret) => failure.startsWith(secret));
  return {
    state: "incomplete",
    detail: isGiven ? "All it needs is there: it connects after steward config apply." : failure,
  };
}

export function notOpenWords(deps: ChannelStandingDeps, channel: ChannelName): string {
  const definition = deps.definitions.find(({ name }) => name === channel);
  const words = definition && notOpen(deps, definition);
  return words?.state === "off"
    ? `${definition?.title ?? channel} is off. Switch it on with: steward config set channels.${channel}.enabled true`
    : (words?.detail ?? `There is no channel ${channel}.`);
}
