// Discord on loopback and one bot on it, which is as patient as a test needs it to be.
import { discordChannel } from "../../../src/channels/discord/discord-channel.ts";
import { openDiscord } from "../../../src/channels/discord/open-discord.ts";
import { type Timings, usualTimings } from "../../../src/channels/discord/timings.ts";
import { type FakeDiscord, startFakeDiscord } from "../../fakes/channels/discord-server.ts";
import { eventually } from "../eventually.ts";
import { type ChannelSceneOptions, openChannelScene } from "./channel-scene.ts";

type Options = Omit<ChannelSceneOptions, "secrets"> & {
  token?: string;
  timings?: Partial<Timings>;
  discord?: FakeDiscord;
  heartbeatMs?: number;
  /** How far its clock is ahead. */
  aheadMs?: number;
  /** Asked before it is told where people have talked; may throw. */
  beforeChats?(): Promise<void>;
};

export async function openDiscordScene(options: Options = {}) {
  const { heartbeatMs, aheadMs = 0 } = options;
  const discord = options.discord ?? (await startFakeDiscord(heartbeatMs === undefined ? {} : { heartbeatMs }));
  const timings = { ...usualTimings, firstRetryMs: 20, lastRetryMs: 200, identifyEveryMs: 0, ...options.timings };
  const scene = await openChannelScene(
    {
      ...discordChannel,
      open(base) {
        const chats = async () => {
          await options.beforeChats?.();
          return await base.chats();
        };
        const world = { ...base.world, nowMs: () => base.world.nowMs() + aheadMs };
        return openDiscord({ ...base, chats, world }, timings);
      },
    },
    {
      ...options,
      settings: { apiUrl: discord.apiUrl, ...options.settings },
      secrets: { DISCORD_BOT_TOKEN: options.token ?? discord.token },
    },
  );
  return { ...scene, discord };
}

/** The same, connected. */
export async function connectedDiscord(options: Options = {}) {
  const scene = await openDiscordScene(options);
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
  return scene;
}
