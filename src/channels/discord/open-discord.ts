// One bot on Discord: the gateway tells what was said, requests say what is answered.
import type { Channel, ChannelBase } from "../../contract/channel/channel.ts";
import { openApi } from "./api/api.ts";
import { openIntake } from "./intake.ts";
import { keepConnected } from "./keep-connected.ts";
import { openPlaces } from "./places.ts";
import { openFetchFile } from "./read-attachments.ts";
import { Changed, Greeting } from "./read-update.ts";
import { renderDiscord } from "./render.ts";
import { openSender } from "./send.ts";
import { openSentMessages } from "./sent-messages.ts";
import { type Timings, usualTimings } from "./timings.ts";

const patienceMs = 1_000;

export async function openDiscord(base: ChannelBase, timings: Timings = usualTimings): Promise<Channel> {
  const { apiUrl } = base.settings.channels.discord;
  const token = base.secret("DISCORD_BOT_TOKEN").trim();
  const closer = new AbortController();
  const closing = closer.signal;
  const { requestMs, uploadMs } = timings;
  let ownId: string | undefined;
  const api = openApi({ url: apiUrl, token, requestMs, uploadMs, closing });
  const places = openPlaces(api, () => ownId);
  const sent = openSentMessages(base, api, () => ownId);
  const intake = openIntake({
    ...{ base, api, places, timings, closing, fetchFile: openFetchFile({ apiUrl, requestMs, closing }) },
    ownMessage: ({ channel_id, nonce, id }) => {
      if (nonce !== undefined && nonce !== null) sent.arrived(channel_id, String(nonce), id);
    },
  });
  const connection = keepConnected(
    { base, api, token, timings, closing },
    {
      ready(greeting) {
        const read = Greeting.safeParse(greeting);
        if (!read.success) return;
        ownId = read.data.user.id;
        intake.ready(
          ownId,
          read.data.guilds.map(({ id }) => id),
        );
      },
      dispatch,
    },
  );
  return {
    start: () => connection.start(),
    reconnect: () => connection.reconnect(),
    life: () => connection.life(),
    render: renderDiscord,
    ...openSender({ api, sent, spoke: (channel, message) => intake.spoke(channel, message) }),
    async close() {
      closer.abort();
      await connection.ended();
      // what has just been taken may still be noted; what is stuck is read again by the next process
      const enough = new AbortController();
      await Promise.race([intake.idle(), base.sleep(patienceMs, enough.signal)]);
      enough.abort();
    },
  };

  function dispatch(type: string, content: unknown): void {
    switch (type) {
      case "MESSAGE_CREATE":
        intake.message(content);
        break;
      case "INTERACTION_CREATE":
        intake.press(content);
        break;
      case "GUILD_UPDATE":
      case "GUILD_ROLE_CREATE":
      case "GUILD_ROLE_UPDATE":
      case "CHANNEL_UPDATE":
      case "CHANNEL_DELETE":
      case "THREAD_UPDATE":
      case "THREAD_DELETE": {
        const changed = Changed.safeParse(content).data ?? {};
        for (const id of [changed.id, changed.guild_id]) if (id !== undefined) places.forget(id);
      }
    }
  }
}
