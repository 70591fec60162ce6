// What is known of Discord's channels: to which chat each belongs and what people call it. Asked for once, then remembered.
import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type { Api } from "./api/api.ts";
import { readFailure } from "./api/discord-failure.ts";

export type Place = {
  address: Address;
  isDirect: boolean;
  /** Undefined in a direct conversation, which is called like the person. */
  title: string | undefined;
  /** The role that Discord makes for a bot in each server: many name it when they mean the bot. */
  ownRoleId: string | undefined;
};

export type Places = {
  /** `guildId`: as far as the message itself says where it was written. Throws a DiscordFailure that may be tried again. */
  of(channelId: string, guildId: string | undefined): Promise<Place>;
  nameIfKnown(channelId: string): string | undefined;
  /** Something changed there: asked for again when it is needed. */
  forget(id: string): void;
};

const Channel = z.object({
  type: z.number(),
  guild_id: z.string().nullish(),
  parent_id: z.string().nullish(),
  name: z.string().nullish(),
});
const Guild = z.object({
  name: z.string(),
  roles: z
    .array(z.object({ id: z.string(), tags: z.object({ bot_id: z.string().optional() }).optional().catch(undefined) }))
    .catch([]),
});
type Channel = z.infer<typeof Channel>;
type Guild = z.infer<typeof Guild>;

/** Threads are channels of their own that hang below the one in which they were begun. */
const threadTypes = new Set([10, 11, 12]);
const directMessage = 1;
const keptAtMost = 1_000;

export function openPlaces(api: Api, ownId: () => string | undefined): Places {
  const known = new Map<string, Channel | Guild>();
  return {
    async of(channelId, guildId) {
      const channel = await lookUp(`/channels/${channelId}`, channelId, Channel);
      if (!channel) return unseen(channelId);
      const isThread = threadTypes.has(channel.type) && Boolean(channel.parent_id);
      const chat = (isThread && channel.parent_id) || channelId;
      const address = { chat, ...(isThread ? { thread: channelId } : {}) };
      const guild = channel.guild_id ?? guildId;
      if (!guild) {
        return { address, isDirect: channel.type === directMessage, title: undefined, ownRoleId: undefined };
      }
      const { name, roles } = (await lookUp(`/guilds/${guild}`, guild, Guild)) ?? { name: "", roles: [] };
      const above = isThread ? (await lookUp(`/channels/${chat}`, chat, Channel))?.name : undefined;
      const title = [name, above ? `#${above} › ${channel.name ?? ""}` : `#${channel.name ?? channelId}`]
        .join(" ")
        .trim();
      const ownRoleId = roles.find(({ tags }) => tags?.bot_id !== undefined && tags.bot_id === ownId())?.id;
      return { address, isDirect: false, title, ownRoleId };
    },
    nameIfKnown(channelId) {
      const channel = known.get(channelId);
      return channel?.name ?? undefined;
    },
    forget: (id) => void known.delete(id),
  };

  /** Undefined: Discord does not let the bot look. */
  async function lookUp<Kind extends typeof Channel | typeof Guild>(
    path: `/${string}`,
    id: string,
    kind: Kind,
  ): Promise<z.infer<Kind> | undefined> {
    const before = known.get(id);
    if (before) return before as z.infer<Kind>;
    try {
      const read = kind.safeParse(await api.ask({ method: "GET", path }));
      if (!read.success) return undefined;
      if (known.size >= keptAtMost) known.clear();
      known.set(id, read.data as Channel | Guild);
      return read.data as z.infer<Kind>;
    } catch (cause) {
      const failure = readFailure(cause);
      if (failure.retry === "again") throw failure;
      return undefined;
    }
  }
}

/** Where it is not known what a channel is, nobody speaks as the owner. */
function unseen(channelId: string): Place {
  return { address: { chat: channelId }, isDirect: false, title: `#${channelId}`, ownRoleId: undefined };
}
