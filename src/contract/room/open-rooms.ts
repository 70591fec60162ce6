// Opens rooms one after another over one base, merges what they offer, and closes them in reverse order.

import type { MailNews } from "../channel/mail-news.ts";
import type { ReplyOutlet } from "../channel/reply-outlet.ts";
import type { Tool } from "../tool.ts";
import type { PromptPart, PromptPlace, Room, RoomDefinition } from "./room.ts";
import type { RoomMethods } from "./room-methods.ts";
import type { Route } from "./route.ts";

export type Offered = {
  tools(): Promise<readonly Tool[]>;
  methods(): RoomMethods;
  routes(): Promise<readonly Route[]>;
  senders(): Readonly<Record<string, ReplyOutlet>>;
  promptParts(place: PromptPlace): Promise<readonly PromptPart[]>;
  status(): Promise<Readonly<Record<string, string>>>;
  hears(mail: MailNews): Promise<void>;
  /** Every room is asked, also when one fails; then it throws what failed. */
  forget(conversation: string, atMs: number): Promise<void>;
  catchUp(): Promise<void>;
  /** Of the one room that remembers; undefined: none does. */
  recall(): Room["recall"];
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

export type RoomsDeps = {
  trouble(message: string, cause: unknown): void;
  note(message: string, fields: { room: string }): void;
};

export function prepareRooms({ trouble, note }: RoomsDeps): Rooms {
  const opened: Opened[] = [];
  const claim = openNames();
  let methods: RoomMethods = {};
  let senders: Readonly<Record<string, ReplyOutlet>> = {};
  return {
    offered: {
      tools: () => askDistinct("tool", (room) => room.tools?.()),
      methods: () => methods,
      routes: () => askDistinct("route", (room) => room.routes?.()),
      senders: () => senders,
      promptParts: async (place) => (await ask((room) => room.promptParts?.(place))).map(({ value }) => value),
      async status() {
        const lines = await Promise.all(opened.map(({ room }) => room.status?.()));
        return Object.assign({}, ...lines);
      },
      async hears(mail) {
        for (const { room } of opened) await room.hears?.(mail);
      },
      forget: (conversation, atMs) => forgetBy((room) => room.forget?.(conversation, atMs)),
      catchUp: () => forgetBy((room) => room.catchUp?.()),
      recall: () => opened.find(({ room }) => room.recall)?.room.recall,
    },
    async open(list, base) {
      try {
        for (const { name, open } of list) {
          if (!open) continue;
          const room = await open(base);
          opened.push({ name, room });
          note("room opened", { room: name });
          for (const method of Object.keys(room.methods ?? {})) claim("method", method, name);
          for (const sender of Object.keys(room.senders ?? {})) claim("sender", sender, name);
          methods = { ...methods, ...room.methods };
          senders = { ...senders, ...room.senders };
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
    const answers = opened.flatMap(
      ({ name: from, room }) => part(room)?.then((values) => values.map((value) => ({ from, value }))) ?? [],
    );
    return (await Promise.all(answers)).flat();
  }

  async function forgetBy(part: (room: Room) => Promise<void> | undefined): Promise<void> {
    const failed: string[] = [];
    const causes: unknown[] = [];
    for (const { name, room } of opened) {
      try {
        await part(room);
      } catch (cause) {
        // the rooms after it must still forget
        failed.push(name);
        causes.push(cause);
      }
    }
    if (failed.length > 0) throw new AggregateError(causes, `Not forgotten by the room ${failed.join(", ")}.`);
  }

  async function askDistinct<Value extends Tool | Route>(
    kind: string,
    part: (room: Room) => Promise<readonly Value[]> | undefined,
  ): Promise<readonly Value[]> {
    const offers = await ask(part);
    const claimNow = openNames();
    for (const { from, value } of offers) claimNow(kind, nameOf(value), from);
    return offers.map(({ value }) => value);
  }

  async function close(): Promise<void> {
    for (let last = opened.pop(); last; last = opened.pop()) {
      try {
        await last.room.close?.();
        note("room closed", { room: last.name });
      } catch (cause) {
        // the rooms before it must still be closed
        trouble(`The room ${last.name} could not be closed.`, cause);
      }
    }
  }
}

function nameOf(offer: Tool | Route): string {
  return "path" in offer ? `${offer.method} ${offer.path}` : offer.name;
}

/** Remembers who offered which name; the second one to offer it is a mistake in the program. */
function openNames(): (kind: string, name: string, room: string) => void {
  const owners = new Map<string, string>();
  return (kind, name, room) => {
    const before = owners.get(`${kind} ${name}`);
    if (before !== undefined) throw new Error(`The ${kind} ${name} is offered twice, by ${before} and by ${room}.`);
    owners.set(`${kind} ${name}`, room);
  };
}
