// In: presses that come through the reply topic. Out: messages to the owner's topic.
import type { Channel, ChannelBase, Life } from "../../contract/channel/channel.ts";
import { listenForPresses } from "./listen-for-presses.ts";
import type { NtfyLine } from "./read-update.ts";
import { renderNtfy } from "./render.ts";
import { openReplyTopic } from "./reply-topic.ts";
import { findMarked, markOf, mayBeForgotten, removeMarked, sendNtfy, tellQuietly } from "./send.ts";
import type { NtfyServer } from "./server-call.ts";

const keepsIdsNote = "server with sequence ids";

export async function openNtfy(base: ChannelBase): Promise<Channel> {
  const { topic, url: written } = base.settings.channels.ntfy;
  const url = written.replace(/\/+$/, "");
  const address = { chat: topic };
  const closing = new AbortController();
  const untilClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
  let lastProofMs: number | undefined;
  let sendRefusal: string | undefined;
  // until it is known that the server keeps sequence ids, so that the first message can be found as well
  let marksWithTag = (await base.recall(keepsIdsNote)) !== url;
  const server: NtfyServer = {
    ...{ url, host: new URL(url).host, topic, token: readToken(base, "NTFY_TOKEN"), nowMs: base.world.nowMs },
    onAnswer: () => {
      lastProofMs = base.world.nowMs();
    },
    onRefusal: (sentence) => {
      sendRefusal = sentence;
    },
  };
  const reply = await openReplyTopic(base, topic);
  const pressToken = readToken(base, "NTFY_PRESS_TOKEN");
  const isPressedWithoutToken = server.token !== undefined && pressToken === undefined;
  const listener = await listenForPresses(
    { base, server, reply, address, isPressedWithoutToken, answer },
    closing.signal,
  );

  return {
    start: listener.start,
    close() {
      closing.abort();
      return listener.ended();
    },
    async reconnect() {
      sendRefusal = undefined;
      listener.reconnect();
    },
    life(): Life {
      const { state, detail } = listener.life();
      if (state === "connected" && sendRefusal !== undefined)
        return { state: "refused", detail: sendRefusal, lastProofMs };
      return { state, detail, lastProofMs };
    },
    render: renderNtfy,
    async send(to, message, signal) {
      const line = await sendNtfy({ server, reply, pressToken, marksWithTag }, to.chat, message, untilClosed(signal));
      sendRefusal = undefined;
      await learnMarks(line);
      return { ref: markOf(message.key) };
    },
    remove: (to, ref, signal) => removeMarked(server, to.chat, ref, untilClosed(signal)),
    async find(to, key, signal) {
      const mark = markOf(key);
      if (await findMarked(server, to.chat, mark, untilClosed(signal))) return { ref: mark };
      return mayBeForgotten(key, base.world.nowMs()) ? "unknown" : undefined;
    },
    // whoever holds the phone is the owner: there is nobody else
    directAddress: async () => address,
  };

  // a server older than 2.16 forgets the sequence id, by which a message in doubt is found
  async function learnMarks({ sequence_id }: NtfyLine): Promise<void> {
    if (marksWithTag === (sequence_id === undefined)) return;
    marksWithTag = sequence_id === undefined;
    try {
      await base.remember(keepsIdsNote, marksWithTag ? "" : url);
    } catch (cause) {
      // the message has arrived all the same, and the next one learns it anew
      base.trouble("What the ntfy server knows was not kept.", cause);
    }
  }

  async function answer(text: string): Promise<void> {
    try {
      await tellQuietly(server, topic, text, closing.signal);
    } catch (cause) {
      // the press counts whether or not the phone hears of it
      base.trouble("The phone was not told what came of a press.", cause);
    }
  }
}

/** It may be missing, for which `secret` throws. */
function readToken({ environment, secret }: ChannelBase, name: string): string | undefined {
  const given = environment[name]?.trim();
  if (given) return given;
  try {
    return secret(name).trim() || undefined;
  } catch {
    // there is none, and many servers want none
    return undefined;
  }
}
