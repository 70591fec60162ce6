// The channel in which one person and the bot talk alone. Discord makes it when it is first asked for, and it stays the same.
import { z } from "zod";
import type { Api } from "./api/api.ts";
import { DiscordFailure } from "./api/discord-failure.ts";
import { Snowflake } from "./read-update.ts";

export type DirectChannel = { id: string; lastMessageId: string | undefined };

const Opened = z.object({ id: Snowflake, last_message_id: Snowflake.optional().catch(undefined) });

export async function openDirectChannel(api: Api, personId: string, signal?: AbortSignal): Promise<DirectChannel> {
  const answer = await api.ask({
    ...{ method: "POST", path: "/users/@me/channels", body: { recipient_id: personId } },
    ...(signal && { signal }),
  });
  const read = Opened.safeParse(answer);
  if (read.success) return { id: read.data.id, lastMessageId: read.data.last_message_id };
  throw new DiscordFailure("Discord answered something that is no channel.", { retry: "again", arrived: "maybe" });
}
