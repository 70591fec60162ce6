// Keeps a connection to the reply topic for as long as the channel is open, and hands on each press once.
import type { Address } from "../../contract/channel/address.ts";
import type { ChannelBase, Life } from "../../contract/channel/channel.ts";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import { reasonOf } from "../../contract/failure.ts";
import { followReplies } from "./follow-replies.ts";
import { type NtfyLine, readUpdate } from "./read-update.ts";
import type { ReplyTopic } from "./reply-topic.ts";
import type { NtfyServer } from "./server-call.ts";

export type ListenDeps = {
  base: ChannelBase;
  server: NtfyServer;
  reply: ReplyTopic;
  address: Address;
  /** The server asks for a token, and the buttons have none. */
  isPressedWithoutToken: boolean;
  answer(text: string): Promise<void>;
};

type Standing = Pick<Life, "state" | "detail">;

const longestWaitMs = 50_000;
const steadyAfterMs = 60_000;
const endWithinMs = 1_500;
const mostSeen = 200;

export async function listenForPresses(deps: ListenDeps, closed: AbortSignal) {
  const { base, server, reply } = deps;
  const seen = new Set<string>();
  // the topic is as old as Steward's own key: at the very first start nobody has posted there
  let last = (await base.recall("last press")) || "all";
  let taken: string | undefined;
  let dropped = 0;
  let attempt = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const beginning: Standing = { state: "connecting", detail: `Connecting to ${server.host}.` };
  let life = beginning;

  return {
    start() {
      running = listen();
    },
    reconnect: () => attempt.abort(),
    life: () => (closed.aborted ? ({ state: "closed", detail: "Closed." } as const) : life),
    /** Waits for what is under way, but not for long: what was not kept comes again. */
    async ended() {
      const enough = new AbortController();
      await Promise.race([running, base.sleep(endWithinMs, enough.signal)]);
      enough.abort();
    },
  };

  async function listen(): Promise<void> {
    for (let failures = 0; !closed.aborted; failures++) {
      attempt = new AbortController();
      const either = AbortSignal.any([attempt.signal, closed]);
      const begunMs = base.world.nowMs();
      let refusal: string | undefined;
      const onRefusal = (sentence: string) => {
        refusal = sentence;
      };
      const why = await followReplies(
        { base, server: { ...server, onRefusal }, onOpen, onMessage },
        { topic: reply.name, since: last },
        either,
      );
      if (base.world.nowMs() - begunMs > steadyAfterMs) failures = 0;
      if (attempt.signal.aborted) life = beginning;
      else if (refusal !== undefined) life = { state: "refused", detail: refusal };
      else life = { state: "connecting", detail: `${base.redact(reasonOf(why))} It is tried again.` };
      const asked = why instanceof SendFailure ? why.retryAfterMs : undefined;
      const waitMs = asked ?? Math.min(longestWaitMs, 1000 * 2 ** Math.min(failures, 10));
      if (!either.aborted) await base.sleep(waitMs * (1 + Math.random() / 4), either);
    }
  }

  function onOpen(): void {
    const onlyIf = deps.isPressedWithoutToken
      ? ` if the server lets everyone write to ${server.topic}-* or NTFY_PRESS_TOKEN is set (docs/channels/ntfy.md)`
      : "";
    life = { state: "connected", detail: `Pushes to ${server.host}, and hears what is pressed on the phone${onlyIf}.` };
  }

  async function onMessage(line: NtfyLine): Promise<void> {
    if (seen.has(line.id)) return;
    if (taken !== line.id) await take(line);
    taken = line.id;
    await base.remember("last press", line.id);
    last = line.id;
    seen.add(line.id);
    const [oldest] = seen;
    if (seen.size > mostSeen && oldest !== undefined) seen.delete(oldest);
  }

  async function take(line: NtfyLine): Promise<void> {
    const update = readUpdate({ ...deps, key: reply.key }, line);
    if (update) await base.take(update);
    else base.note("a press that Steward has not offered was dropped", { channel: "ntfy", dropped: ++dropped });
  }
}
