// Where people already are: messages of platforms come in, replies go out. Each channel is a folder and a line of channel-list.ts.
import type { Channel, ChannelBase, ChannelDefinition } from "../contract/channel/channel.ts";
import { reasonOf } from "../contract/failure.ts";
import type { CheckContext, Finding, RoomDefinition } from "../contract/room/room.ts";
import type { RoomBase } from "../contract/room/room-base.ts";
import type { SeenChat } from "../contract/wire/methods/channels.ts";
import { channels as allChannels } from "./channel-list.ts";
import type { ChannelsDeps, OpenChannel } from "./channels-deps.ts";
import { channelsCommand } from "./commands/channels-command.ts";
import { groupsCommand } from "./commands/groups-command.ts";
import { missingWords } from "./secret-words.ts";
import type { Secrets } from "./secrets.ts";

export type ChannelsBase = ChannelsDeps &
  Pick<RoomBase, "offered"> & {
    mode: "chat" | "daemon";
    servesPage: boolean;
    /** What auth.json holds, and how a token is kept there for the next start. */
    auth: { keys: Readonly<Record<string, string>>; keep(name: string, value: string): Promise<void> };
    hideValues(values: readonly string[]): void;
    restart(): void;
  };

const sweepMs = 3_000;

export const channelsRoom = roomOf(allChannels);

function roomOf(definitions: readonly ChannelDefinition[]): RoomDefinition<ChannelsBase> {
  return {
    name: "channels",
    commands: [channelsCommand, groupsCommand],
    checks: (context) => checkChannels(definitions, context),
    async open(base) {
      const { serveLazily } = await import("../contract/room/room-methods.ts");
      const { channelMethods } = await import("../contract/wire/methods/channels.ts");
      const { openSecrets } = await import("./secrets.ts");
      const secrets = openSecrets(base);
      // who lives for one command leaves the platforms to who stays
      const stays = base.mode === "daemon" || base.servesPage;
      const wanted = stays ? definitions.filter(({ name }) => base.settings.channels[name].enabled) : [];
      const { openPairing } = await import("./intake/pairing.ts");
      const { openSightings } = await import("./groups/sightings.ts");
      const pairing = openPairing({
        nowMs: base.world.nowMs,
        recall: () => base.ledger.remembered("pairing", "codes"),
        remember: (value) => base.ledger.remember("pairing", "codes", value),
      });
      const { tellOfSighting } = await import("./groups/tell-of-sighting.ts");
      const onNew = (seen: SeenChat) => tellOfSighting(base, seen);
      const sightings = openSightings({ ...base, nowMs: base.world.nowMs, onNew });
      const channels = new Map<string, OpenChannel>();
      const failures = new Map<string, string>();
      const { openWatchLife } = await import("./watch/watch-life.ts");
      const { openDrafts } = await import("./outgoing/drafts.ts");
      const { openOutlet } = await import("./outgoing/open-outlet.ts");
      const { openAskOwner } = await import("./questions/ask-owner.ts");
      const { openCloseQuestions } = await import("./questions/close-questions.ts");
      const drafts = openDrafts(base, channels);
      const { openGroupQuota } = await import("./intake/group-quota.ts");
      const { openWaitingLine } = await import("./intake/waiting-line.ts");
      const closing = new AbortController();
      const bounds = { quota: openGroupQuota(base.world), overhearing: openWaitingLine(), closing: closing.signal };
      const intake = { ...base, ...bounds, pairing, sightings, goingOn: drafts.goingOn };
      for (const definition of wanted) await openOne(definition);
      const watch = openWatchLife(base, channels);
      const asks = openAskOwner(base, channels);
      const closes = openCloseQuestions(base, channels);
      const methodDeps = { ...base, definitions, channels, failures, pairing, sightings, watch, secrets };
      const senders = Object.fromEntries(
        [...channels].map(([name, open]) => [name, openOutlet({ ...base, drafts }, open)]),
      );
      return {
        senders,
        methods: serveLazily(channelMethods, async () =>
          (await import("./channel-methods.ts")).serveChannels(methodDeps),
        ),
        async tools() {
          const own = await Promise.all([...channels.values()].map(({ channel }) => channel.tools?.() ?? []));
          const hasGroups = [...channels.values()].some(({ definition }) => definition.capabilities.groups);
          const { groupTools } = await import("./groups/group-tools.ts");
          return [...own.flat(), ...(hasGroups ? groupTools(methodDeps) : [])];
        },
        async routes() {
          return (await Promise.all([...channels.values()].map(({ channel }) => channel.routes?.() ?? []))).flat();
        },
        async promptParts({ conversation }) {
          if ((await base.ledger.groups()).length === 0 || (await base.ledger.groupOf(conversation))) return [];
          const text =
            "# Groups\nYou also answer in group chats, each with a folder and a memory of its own that you do not see here. What every group shall know goes into GLOBAL.md of this workspace, and nothing private. schedule_task with group plans for one of them: it is done and told there.";
          return [{ text, stable: true }];
        },
        status: async () => ({ ...(wanted.length > 0 && { channels: describe([...channels.values()], failures) }) }),
        async start() {
          for (const { channel } of channels.values()) channel.start();
          if (channels.size === 0) return;
          // whoever waits for Steward does not wait for a platform that is away
          await drafts.sweep(AbortSignal.timeout(sweepMs));
          await asks.start();
          closes.start();
          watch.start();
          for (const definition of definitions) {
            const why = failures.get(definition.name);
            if (why !== undefined) await watch.tellUnopened(definition, why);
          }
        },
        async close() {
          closing.abort();
          await watch.close();
          await asks.close();
          await closes.close();
          await drafts.close();
          await Promise.all([...channels.values()].map(({ channel }) => channel.close()));
        },
      };

      async function openOne(definition: ChannelDefinition): Promise<void> {
        const { name, title } = definition;
        const problem = problemOf(definition, base, secrets);
        try {
          if (problem !== undefined) return fail(problem);
          const { takeUpdate } = await import("./intake/take-update.ts");
          const channel: Channel = await definition.open({
            ...channelBase(base, name, secrets),
            take: (update) => takeUpdate(intake, definition, update),
          });
          channels.set(name, { definition, channel });
          await meetPhone(definition);
        } catch (cause) {
          // one that cannot be opened keeps neither the others nor Steward from it
          fail(`${title} could not be opened: ${reasonOf(cause)}`);
        }

        function fail(why: string): void {
          failures.set(name, why);
          base.trouble(`${title} is not connected. ${why}`, undefined);
        }
      }

      /** Nobody writes there first, so the place is known from the settings. */
      async function meetPhone({ name }: ChannelDefinition): Promise<void> {
        if (name !== "ntfy") return;
        const { conversationAt } = await import("../contract/channel/address.ts");
        const address = { chat: base.settings.channels.ntfy.topic };
        const conversation = conversationAt(name, address);
        if (await base.ledger.chat(conversation)) return;
        await base.store.log.append([
          { type: "chat.met", conversation, channel: name, address, isDirect: true, title: "Phone", details: {} },
        ]);
      }
    },
  };
}

/** Of those that are switched on; whether the platform lets them in only a running Steward knows. */
async function checkChannels(
  definitions: readonly ChannelDefinition[],
  { settings }: CheckContext,
): Promise<readonly Finding[]> {
  const wanted = definitions.filter(({ name }) => settings.channels[name].enabled);
  return wanted.map((definition) => {
    const { name, title } = definition;
    const problem = definition.problem?.(settings);
    if (problem !== undefined) return { ok: false, name, detail: `${title}: ${problem}` };
    // whether its token is there and good only the running Steward knows
    return { ok: true, name, detail: `${title} is switched on. How it is: steward channels` };
  });
}

function problemOf(
  definition: ChannelDefinition,
  base: Pick<ChannelsBase, "settings">,
  secrets: Secrets,
): string | undefined {
  const missing = definition.secrets(base.settings).filter((name) => secrets.find(name) === undefined);
  if (missing.length > 0) return missingWords(missing);
  return definition.problem?.(base.settings);
}

function channelBase(base: ChannelsBase, name: ChannelDefinition["name"], secrets: Secrets): Omit<ChannelBase, "take"> {
  const { home, settings, environment, world, trouble, note, redact, sleep, ledger } = base;
  return {
    ...{ home, settings, environment, world, trouble, note, redact, sleep },
    secret(secretName) {
      const value = secrets.find(secretName);
      if (value === undefined) throw new Error(missingWords([secretName]));
      return value;
    },
    remember: (noteName, value) => ledger.remember(name, noteName, value),
    recall: (noteName) => ledger.remembered(name, noteName),
    chats: () => ledger.chats(name),
    news: base.offered.hears,
  };
}

function describe(open: readonly OpenChannel[], failures: ReadonlyMap<string, string>): string {
  const states = open.map(({ definition, channel }) => `${definition.title} ${channel.life().state}`);
  return [...states, ...[...failures.keys()].map((name) => `${name} incomplete`)].join(", ");
}
