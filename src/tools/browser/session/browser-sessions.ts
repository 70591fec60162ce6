// Gives each conversation its own pages: one call at a time, closed when nobody uses them, kept on disk meanwhile.
import { reasonOf } from "../../../contract/failure.ts";
import { openPathLocks } from "../../paths/path-locks.ts";
import type { Refusal } from "../../paths/refusal.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import type { BrowserProcess } from "../process/browser-process.ts";
import { within } from "../within.ts";
import { type BrowserSession, openBrowserSession } from "./browser-session.ts";
import { loadPages, removePages, type SavedPages, savePages } from "./saved-pages.ts";

export type SessionsDeps = {
  folder: string;
  limits: BrowserLimits;
  process: BrowserProcess;
  onTrouble(message: string, cause: unknown): void;
};

export type BrowserSessions = ReturnType<typeof openBrowserSessions>;

type Entry = {
  opened: Promise<BrowserSession | Refusal>;
  session?: BrowserSession;
  cookies: SavedPages["cookies"];
  idle?: NodeJS.Timeout;
};

const saveMs = 3_000;

export function openBrowserSessions(deps: SessionsDeps) {
  const { limits, folder } = deps;
  const locks = openPathLocks();
  // in the order of last use
  const entries = new Map<string, Entry>();
  let isClosed = false;
  // calls of one conversation run one after another
  return { hold, enter, rest, forget, close };

  function hold<Value>(conversation: string, work: () => Promise<Value>): Promise<Value> {
    return locks.hold(conversation, () => deps.process.awake(work));
  }

  /** `news`: what the model must know before anything else, in our own words. */
  async function enter(conversation: string): Promise<{ session: BrowserSession; news: string | undefined } | Refusal> {
    if (isClosed) return { refused: "The browser is not used any more: Steward is stopping." };
    const news = await dropIfEnded(conversation);
    const entry = entries.get(conversation) ?? makeEntry(conversation);
    clearTimeout(entry.idle);
    entries.delete(conversation);
    entries.set(conversation, entry);
    // it may end at the very moment in which it is needed
    const session = await entry.opened.catch(
      (cause): Refusal => ({ refused: `The browser could not be used: ${reasonOf(cause).split("\n")[0]}. Try again.` }),
    );
    if (!("refused" in session)) return { session, news };
    entries.delete(conversation);
    return session;
  }

  async function dropIfEnded(conversation: string): Promise<string | undefined> {
    const entry = entries.get(conversation);
    const why = entry?.session?.running.ended();
    if (!entry || why === undefined) return undefined;
    entries.delete(conversation);
    await savePages(folder, conversation, { url: null, cookies: entry.cookies, origins: [] }).catch((cause) => {
      deps.onTrouble("a conversation's cookies could not be kept", cause);
    });
    return `The browser was started again: ${why}. Its pages are gone, its cookies were kept.`;
  }

  function makeEntry(conversation: string): Entry {
    const [oldest] = entries.keys();
    const gives = entries.size >= limits.conversations ? oldest : undefined;
    const entry: Entry = { opened: open(), cookies: [] };
    return entry;

    async function open(): Promise<BrowserSession | Refusal> {
      // the one that has rested longest makes room; it may be in use, so it is waited for
      if (gives !== undefined) await locks.hold(gives, () => closeEntry(gives));
      const running = await deps.process.start();
      if ("refused" in running) return running;
      const saved = await loadPages(folder, conversation);
      const session = await openBrowserSession(limits, running, saved);
      entry.session = session;
      entry.cookies = saved?.cookies ?? [];
      return session;
    }
  }

  /** To be called after each use: keeps the cookies and starts the wait until the pages are closed. */
  async function rest(conversation: string): Promise<void> {
    const entry = entries.get(conversation);
    if (!entry?.session || isClosed) return;
    if (entry.session.running.ended() === undefined) {
      // a browser that ends at this very moment tells nothing, and what it told before stays
      const told = entry.session.context.cookies().catch(() => undefined);
      entry.cookies = (await within(saveMs, told)) ?? entry.cookies;
    }
    clearTimeout(entry.idle);
    entry.idle = setTimeout(() => void closeIdle(conversation), limits.idleMs).unref();
  }

  async function closeIdle(conversation: string): Promise<void> {
    await hold(conversation, () => closeEntry(conversation));
    if (entries.size === 0) await deps.process.stop("nobody had used it for a while");
  }

  async function closeEntry(conversation: string): Promise<void> {
    const entry = entries.get(conversation);
    entries.delete(conversation);
    clearTimeout(entry?.idle);
    const session = entry?.session;
    if (!session || session.running.ended() !== undefined) return;
    try {
      const url = session.tabs.current()?.page.url() ?? null;
      const storage = await within(saveMs, session.context.storageState());
      await savePages(folder, conversation, { url, ...(storage ?? { cookies: entry.cookies, origins: [] }) });
      await within(saveMs, session.close());
    } catch (cause) {
      deps.onTrouble("a conversation's pages could not be kept", cause);
    }
  }

  /** The pages close without being kept, and so goes what was kept up to that time. */
  async function forget(conversation: string, throughMs: number): Promise<void> {
    await hold(conversation, async () => {
      const entry = entries.get(conversation);
      entries.delete(conversation);
      clearTimeout(entry?.idle);
      // a browser that has ended or hangs has no pages left to close
      if (entry?.session) await within(saveMs, entry.session.close()).catch(() => undefined);
      await removePages(folder, conversation, throughMs);
    });
  }

  async function close(): Promise<void> {
    isClosed = true;
    await deps.process.awake(() => Promise.all([...entries.keys()].map(closeEntry)));
    await deps.process.stop("Steward stopped", true);
  }
}
