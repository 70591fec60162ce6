// What every page is given: the way to the gateway and the few things the whole window shares.
import type { OpenApproval, Session } from "../../../src/contract/wire/method.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import type { Watched } from "../state/watched.ts";
import type { Notifications } from "./notifications.ts";

export type { Watched };

export type Tone = "quiet" | "good" | "warning" | "error";

export type App = {
  link: GatewayLink;
  /** Every conversation, newest first, kept up to date by the events. */
  sessions: Watched<readonly Session[]>;
  /** Everything that waits for a person, oldest first. */
  approvals: Watched<readonly OpenApproval[]>;
  /** Conversations in which a task has said something that nobody has looked at. */
  unread: Watched<ReadonlySet<string>>;
  notifications: Notifications;
  /** False until both lists have been read once: an empty list means nothing before that. */
  loaded: Watched<boolean>;
  /** Goes to a page of this window, such as `/chat/web--42`, without loading it anew. `replaces`: the way back leads past here. */
  go(path: string, options?: { replaces: boolean }): void;
  /** A short line that goes away by itself; an action may be offered, such as undo. What is returned takes it away sooner. */
  say(text: string, options?: { title?: string; tone?: Tone; action?: { label: string; run(): void } }): () => void;
  /** Asks before something that cannot be taken back. */
  confirm(question: { title: string; text: string; yes: string; no?: string; tone?: Tone }): Promise<boolean>;
  /** What was changed on a page and not saved, by page; it waits there while somebody looks at another one. */
  unsaved: Map<string, ReadonlyMap<string, unknown>>;
  theme: Watched<"system" | "light" | "dark"> & { set(theme: "system" | "light" | "dark"): void };
};

/** A page is one file that defines an element with `app` and `route` properties, and one line in pages.ts. */
export type Page = {
  /** The first part of the address, such as `inbox`; the rest is handed over as `route`. */
  path: string;
  title: string;
  icon: string;
  /** One sentence for the command palette. */
  about: string;
  tag: string;
  load(): Promise<unknown>;
  /** False: reached from elsewhere, not listed in the navigation. */
  listed?: boolean;
  /** How many things there wait for the person. */
  badge?(app: App): number;
};
