// The seam: everything a room may offer to the rest of the program. Each part is optional and a plain value; nobody registers on import.
import type { MailNews } from "../channel/mail-news.ts";
import type { ReplyOutlet } from "../channel/reply-outlet.ts";
import type { Recall } from "../memory/recall.ts";
import type { Settings } from "../settings.ts";
import type { Tool } from "../tool.ts";
import type { World } from "../world.ts";
import type { Command } from "./command.ts";
import type { RoomMethods } from "./room-methods.ts";
import type { Route } from "./route.ts";

export type Room = {
  /** What the agent can do; asked for before each turn, since tools may come and go. */
  tools?(): Promise<readonly Tool[]>;
  /** What clients may call: terminal, page, WebSocket and HTTP alike. */
  methods?: RoomMethods;
  /** Addresses of the HTTP server, which are also its part of the OpenAPI document. */
  routes?(): Promise<readonly Route[]>;
  /** Ways out for replies, by channel. A channel whose clients follow the log needs none. */
  senders?: Readonly<Record<string, ReplyOutlet>>;
  promptParts?(place: PromptPlace): Promise<readonly PromptPart[]>;
  /** What is laid beside a message without being asked for. */
  recall?: Recall;
  /** A line in words for each of its parts, for `steward status` and the page. */
  status?(): Promise<Readonly<Record<string, string>>>;
  /** A conversation was deleted at this time: whatever is kept of it goes. May be called again, and when its key is in use again. */
  forget?(conversation: string, atMs: number): Promise<void>;
  /** Words were taken out of the log: its copy of them holds none of them any more when it resolves. May be called at any time. */
  catchUp?(): Promise<void>;
  /** A mail has come. What it begins is on disk when it resolves; the same mail may be told again. */
  hears?(mail: MailNews): Promise<void>;
  /** Called when every room is open. */
  start?(): Promise<void>;
  close?(): Promise<void>;
};

/** A room in the list: what it offers to the command line without a running Steward, and how it is opened in one. */
export type RoomDefinition<Base> = {
  name: string;
  /** `steward …` */
  commands?: readonly Command[];
  /** What `steward doctor` looks at. */
  checks?(context: CheckContext): Promise<readonly Finding[]>;
  /** What is heavy is loaded in here, not with the list. */
  open?(base: Base): Promise<Room>;
};

export type PromptPlace = { conversation: string; channel: string; agent: string | undefined };
/** `stable`: the same in every turn, so that a provider's cache holds. `tool`: left out where that tool may not be used. */
export type PromptPart = { text: string; stable: boolean; tool?: string };

export type Finding = { ok: boolean; name: string; detail: string; next?: string };

export type CheckContext = {
  home: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  storedKeys: Readonly<Record<string, string>>;
  world: World;
};
