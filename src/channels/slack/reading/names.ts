import { z } from "zod";
import type { CallSlack } from "../connection/web-api.ts";
import type { NameOf } from "./read-text.ts";

export type Names = {
  person(id: string): Promise<string>;
  /** With its mark: `#general`. */
  channel(id: string): Promise<string>;
  of: NameOf;
};

const optional = z.string().nullish();
const UserAnswer = z.object({
  user: z.object({
    name: optional,
    real_name: optional,
    profile: z.object({ display_name: optional, real_name: optional }).nullish(),
  }),
});
const ChannelAnswer = z.object({
  channel: z.object({ name: optional, is_mpim: z.boolean().nullish() }),
});
const keepMs = 3_600_000;

/** What people and channels are called. Without an answer it is the id: a name is never worth losing a message for. */
export function openNames(deps: {
  call: CallSlack;
  nowMs(): number;
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
}): Names {
  const kept = new Map<string, { name: Promise<string>; atMs: number }>();
  const names: Names = {
    person: (id) => remembered(id, askForPerson),
    channel: (id) => remembered(id, askForChannel),
    of: (kind, id) => names[kind](id),
  };
  return names;

  function remembered(id: string, ask: (id: string) => Promise<string>): Promise<string> {
    const known = kept.get(id);
    if (known && deps.nowMs() - known.atMs < keepMs) return known.name;
    if (kept.size > 5_000) kept.clear();
    const name = ask(id).catch((cause: unknown) => {
      deps.note("Slack did not say what something is called", { id, cause: String(cause) });
      kept.delete(id);
      return id;
    });
    kept.set(id, { name, atMs: deps.nowMs() });
    return name;
  }

  async function askForPerson(id: string): Promise<string> {
    const { user } = await deps.call("users.info", { user: id }, UserAnswer);
    return user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || id;
  }

  async function askForChannel(id: string): Promise<string> {
    const { channel } = await deps.call("conversations.info", { channel: id }, ChannelAnswer);
    if (!channel.name) return id;
    return channel.is_mpim ? channel.name : `#${channel.name}`;
  }
}
