// A workspace of Slack: what comes in are envelopes over a socket, what goes out are updates and calls of the Web API.
import { z } from "zod";
import type { Channel, ChannelBase } from "../../contract/channel/channel.ts";
import { reasonOf } from "../../contract/failure.ts";
import { giveWords } from "../secret-words.ts";
import { catchUp } from "./catch-up.ts";
import { type Connection, openConnection } from "./connection/keep-connected.ts";
import { openRefusedCalls } from "./connection/refused-calls.ts";
import { isRefusal, isTokenGone, Refusal, SlackFailure } from "./connection/slack-failure.ts";
import { openWebApi } from "./connection/web-api.ts";
import { directChat, directChats } from "./direct-chat.ts";
import { openFile } from "./files.ts";
import { findSent } from "./find-sent.ts";
import { openIntake } from "./intake.ts";
import { openMarks } from "./marks.ts";
import { newestPlaces } from "./newest-places.ts";
import { type Pace, usualPace } from "./pace.ts";
import type { Us } from "./read-update.ts";
import { openNames } from "./reading/names.ts";
import { openReceiver } from "./receive.ts";
import { renderSlack } from "./render.ts";
import { addReaction, editMessage, removeMessage, type SendDeps, sendMessage, showTyping } from "./send.ts";
import { openUploads } from "./uploads.ts";

const Identity = z.object({
  user_id: z.string().regex(/^[A-Z0-9]+$/),
  user: z.string().default("Steward"),
  team: z.string().default("Slack"),
});
const SocketAddress = z.object({ url: z.url({ protocol: /^wss?$/ }) });
const closeWithinMs = 1_500;

export async function openSlack(base: ChannelBase, pace: Pace = usualPace): Promise<Channel> {
  const closing = new AbortController();
  let lastProofMs: number | undefined;
  const proof = () => {
    lastProofMs = base.world.nowMs();
  };
  const wire = { apiUrl: apiUrlOf(base), closing: closing.signal, timeoutMs: pace.requestMs, proof };
  const token = base.secret("SLACK_BOT_TOKEN");
  const refused = openRefusedCalls(base.trouble);
  const call = await openWebApi({
    ...{ ...wire, token, answered: refused.answered },
    failed(method, failure) {
      if (connection.life().state === "connected") refused.failed(method, failure);
      if (isTokenGone(failure) && connection.life().state === "connected") connection.reconnect();
    },
  });
  const callAsApp = await openWebApi({ ...wire, token: base.secret("SLACK_APP_TOKEN") });
  const files = { ...wire, call, token, timeoutMs: pace.transferMs };
  const names = openNames({ call, nowMs: base.world.nowMs, note: base.note });
  const { connection, settled, spoke } = openIncoming();
  const sending = { call, files, uploads: openUploads(base), nowMs: base.world.nowMs, note: base.note, spoke };
  return {
    start: () => connection.start(),
    reconnect: async () => connection.reconnect(),
    async close() {
      closing.abort();
      await within(closeWithinMs, Promise.all([connection.close(), settled()]));
    },
    life() {
      const { state, detail } = connection.life();
      return { state, detail: state === "connected" ? `${detail}${refused.words()}` : detail, lastProofMs };
    },
    render: renderSlack,
    send: (to, message, signal) => sendMessage(sending, to, message, signal),
    edit: (to, ref, message, signal) => editMessage(sending, to, ref, message, signal),
    remove: (to, ref, signal) => removeMessage(sending, to, ref, signal),
    react: (to, ref, emoji, signal) => addReaction(sending, to, { ref, emoji }, signal),
    typing: (to, signal) => showTyping(sending, to, signal),
    find: (to, key, signal) => findSent(sending, to, key, signal),
    directAddress: async (personId, signal) => ({ chat: await directChat(call, personId, signal) }),
  };

  function openIncoming(): { connection: Connection; settled(): Promise<unknown>; spoke: SendDeps["spoke"] } {
    let us: Us | undefined;
    let places: Awaited<ReturnType<ChannelBase["chats"]>> = [];
    const catchingUp = new Set<Promise<void>>();
    const intake = openIntake(base, { pace, closing: closing.signal });
    const marks = openMarks(base);
    const receiver = openReceiver({
      ...{ base, call, intake, marks, apiUrl: wire.apiUrl, timeoutMs: pace.requestMs, closing: closing.signal },
      reading() {
        if (!us) throw new Error("Slack has not said yet as whom Steward is signed in.");
        return { us, names, openFile: (file) => openFile(files, file) };
      },
    });
    const connection = openConnection({
      ...{ base, pace, proof, trouble: base.trouble, receive: receiver.envelope },
      async signIn(signal) {
        const identity = await call("auth.test", {}, Identity, signal).catch(refuse(botTokenAdvice));
        us = { userId: identity.user_id, name: identity.user };
        // known before the socket opens, so that the history is read before anything newer
        const { allowedUserIds } = base.settings.channels.slack;
        const direct = await directChats({ base, call, marks, signal }, allowedUserIds);
        places = newestPlaces([
          ...(await base.chats()),
          ...direct.map((chat) => ({ address: { chat }, isDirect: true })),
        ]);
        return `@${identity.user} in ${identity.team}`;
      },
      async askForSocket(signal) {
        const asked = callAsApp("apps.connections.open", {}, SocketAddress, signal);
        return (await asked.catch(refuse(appTokenAdvice))).url;
      },
      opened(missed) {
        const toRead = missed ? places : places.filter(({ address }) => marks.isHeld(address.chat));
        const deps = { base, call, intake, marks, closing: closing.signal, takeRaw: receiver.missed };
        const done = catchUp(deps, toRead).finally(() => catchingUp.delete(done));
        catchingUp.add(done);
      },
    });
    const settled = () => Promise.allSettled([intake.settled(), receiver.settled(), ...catchingUp]);
    const spoke = (chat: string, ts: string) =>
      void intake
        .inLine(chat, () => marks.begin(chat, ts))
        .catch((cause) => base.note("where a Slack chat begins was not noted", { reason: reasonOf(cause) }));
    return { connection, settled, spoke };
  }
}

const botTokenAdvice =
  "Copy the Bot User OAuth Token (xoxb-…) from “OAuth & Permissions” of your app at api.slack.com/apps and " +
  giveWords("SLACK_BOT_TOKEN");
const appTokenAdvice =
  "Under “Basic Information” of your app at api.slack.com/apps make an App-Level Token (xapp-…) with connections:write, and " +
  giveWords("SLACK_APP_TOKEN");

/** For `catch` where it signs in: what only a person can mend is said to the person. */
function refuse(advice: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof SlackFailure) || !isRefusal(cause)) throw cause;
    throw new Refusal(`Slack does not let Steward in (${cause.word}). ${advice}`, { cause });
  };
}

function apiUrlOf({ settings }: Pick<ChannelBase, "settings">): string {
  const { apiUrl } = settings.channels.slack;
  return apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`;
}

/** Whoever hangs is not waited for any longer. */
async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, ms);
  await Promise.race([done, limit.promise]);
  clearTimeout(timer);
}
