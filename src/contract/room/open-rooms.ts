// Opens rooms one after another over one base, merges what they offer, and closes them in reverse order.
import type { Tool } from "../tool.ts";
import type { PromptPart, PromptPlace, Room, RoomDefinition } from "./room.ts";
import type { RoomMethods } from "./room-methods.ts";
import type { Route } from "./route.ts";
import type { SendReply } from "./send-reply.ts";

export type Offered = {
  tools(): Promise<readonly Tool[]>;
  methods(): RoomMethods;
  routes(): Promise<readonly Route[]>;
  senders(): Readonly<Record<string, SendReply>>;
  promptParts(place: PromptPlace): Promise<readonly PromptPart[]>;
  status(): Promise<Readonly<Record<string, string>>>;
};

export type Rooms = {
  /** May be handed out before the rooms are open; it tells of those that are. */
  offered: Offered;
  /** A failure closes what was opened before it is thrown on. */
  open<Base>(list: readonly RoomDefinition<Base>[], base: Base): Promise<void>;
  /** Also every `start`, in the order of the list. */
  start(): Promise<void>;
  close(): Promise<void>;
};

type Opened = { name: string; room: Room };

export function prepareRooms(trouble: (message: string, cause: unknown) => void): Rooms {
  const opened: Opened[] = [];
  let methods: RoomMethods = {};
  let senders: Readonly<Record<string, SendReply>> = {};
  return {
    offered: {
      tools: async () => requireDistinct("tool", (tool) => tool.name, await ask((room) => room.tools?.())),
      methods: () => methods,
      routes: async () =>
        requireDistinct("route", (route) => `${route.method} ${route.path}`, await ask((room) => room.routes?.())),
      senders: () => senders,
      promptParts: async (place) => (await ask((room) => room.promptParts?.(place))).map(({ value }) => value),
      async status() {
        const lines = await Promise.all(opened.map(({ room }) => room.status?.()));
        return Object.assign({}, ...lines);
      },
    },
    async open(list, base) {
      try {
        for (const { name, open } of list) {
          if (!open) continue;
          const room = await open(base);
          opened.push({ name, room });
          methods = mergeDistinct(name, "method", methods, room.methods);
          senders = mergeDistinct(name, "sender", senders, room.senders);
        }
      } catch (cause) {
        await close();
        throw cause;
      }
    },
    async start() {
      for (const { room } of opened) await room.start?.();
    },
    close,
  };

  async function ask<Value>(
    part: (room: Room) => Promise<readonly Value[]> | undefined,
  ): Promise<readonly { from: string; value: Value }[]> {
    const answers = await Promise.all(
      opened.map(async ({ name, room }) => ((await part(room)) ?? []).map((value) => ({ from: name, value }))),
    );
    return answers.flat();
  }

  async function close(): Promise<void> {
    for (let last = opened.pop(); last; last = opened.pop()) {
      try {
        await last.room.close?.();
      } catch (cause) {
        // the rooms before it must still be closed
        trouble(`The room ${last.name} could not be closed.`, cause);
      }
    }
  }
}

function requireDistinct<Value>(
  kind: string,
  nameOf: (value: Value) => string,
  offers: readonly { from: string; value: Value }[],
): readonly Value[] {
  const seen = new Map<string, string>();
  for (const { from, value } of offers) {
    const name = nameOf(value);
    const before = seen.get(name);
    if (before !== undefined) throw new Error(twice(kind, name, before, from));
    seen.set(name, from);
  }
  return offers.map(({ value }) => value);
}

function mergeDistinct<Value>(
  from: string,
  kind: string,
  before: Readonly<Record<string, Value>>,
  more: Readonly<Record<string, Value>> = {},
): Readonly<Record<string, Value>> {
  for (const name of Object.keys(more))
    if (Object.hasOwn(before, name)) throw new Error(twice(kind, name, "an earlier room", from));
  return { ...before, ...more };
}

function twice(kind: string, name: string, before: string, from: string): string {
  return `The ${kind} ${name} is offered twice, by ${before} and by ${from}.`;
}
