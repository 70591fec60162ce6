// Opens the window: lets the browser in, connects, and hands everything to <steward-app>.

import { foldApproval } from "../../src/contract/conversation/fold-approvals.ts";
import { type Address, openAddress } from "./app/address.ts";
import type { App } from "./app/app.ts";
import type { Frame } from "./app/frame.ts";
import { openNotifications } from "./app/notifications.ts";
import { openQuestions } from "./app/questions.ts";
import { openSessionKey, readRoute } from "./app/route.ts";
import { StewardApp } from "./app/steward-app.ts";
import { followTaskNews } from "./app/task-news.ts";
import { openTheme } from "./app/theme.ts";
import { openToasts } from "./app/toasts/toasts.ts";
import type { GatewayLink } from "./gateway/gateway-link.ts";
import { openGatewayLink } from "./gateway/open-gateway-link.ts";
import { codeInHash, endSession, exchangeCode } from "./gateway/sign-in.ts";
import { connectToOwnOrigin } from "./gateway/socket.ts";
import { browserTimers } from "./gateway/timers.ts";
import { pages } from "./pages.ts";
import { foldSession, sortSessions } from "./state/fold-sessions.ts";
import { followList } from "./state/follow-list.ts";
import { allOf, openWatched, type Watched } from "./state/watched.ts";

// set while this browser is let in
const knownKey = "steward.known";
const workerPath = "/service-worker.js";
const root = document.querySelector("steward-app");
if (!(root instanceof StewardApp)) throw new Error("index.html holds no <steward-app>");
const signInProblem = openWatched<string | undefined>(undefined);
await useCodeInAddress();
openWindow(root);

function openWindow(element: StewardApp): void {
  const link = openGatewayLink({
    connect: connectToOwnOrigin,
    timers: browserTimers,
    random: Math.random,
    startedOver: () => location.reload(),
  });
  const address = openAddress(window);
  const toasts = openToasts(browserTimers);
  const questions = openQuestions();
  const notifications = openNotifications(link);
  const sessions = followList(link, {
    read: async () => sortSessions((await link.call("sessions.list", {})).sessions),
    fold: foldSession,
  });
  const approvals = followList(link, {
    read: async () => (await link.call("approvals.list", {})).approvals,
    fold: foldApproval,
  });
  const app: App = {
    link,
    sessions,
    approvals,
    unread: followTaskNews({
      link,
      openKey: openKeyAt(address),
      storage: localStorage,
      say: toasts.say,
      go: address.go,
    }),
    notifications,
    loaded: allOf([sessions.loaded, approvals.loaded]),
    go: address.go,
    say: toasts.say,
    confirm: questions.confirm,
    unsaved: new Map(),
    theme: openTheme(localStorage, document.documentElement),
  };
  const frame: Frame = {
    app,
    address,
    toasts,
    questions,
    signInProblem,
    async signIn(code) {
      const signedIn = await exchangeCode(fetch, code);
      if (signedIn.ok) link.wake();
      return signedIn;
    },
    async signOut() {
      if ((await notifications.state()) === "on") await notifications.stop();
      const signedOut = await endSession(fetch);
      if (signedOut.ok) {
        localStorage.removeItem(knownKey);
        // loaded anew, because what this page holds belongs to the person who has left
        location.assign("/");
      }
      return signedOut;
    },
  };
  element.needsModel = openNeedsModel(link);
  showWhenKnown(element, frame);

  // the browser asks in its own words
  addEventListener("beforeunload", (event) => {
    if (app.unsaved.size > 0) event.preventDefault();
  });
  addEventListener("online", link.wake);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) link.wake();
  });
  addEventListener("hashchange", () => void useCodeInAddress().then(link.wake));
  navigator.serviceWorker?.addEventListener("message", (message) => {
    if (message.data?.type === "go" && typeof message.data.url === "string") app.go(message.data.url);
  });
  if (document.readyState === "complete") void registerServiceWorker();
  else addEventListener("load", () => void registerServiceWorker(), { once: true });
}

function openKeyAt({ path }: Address): Watched<string | undefined> {
  const openKey = openWatched(openSessionKey(readRoute(pages, path.value)));
  path.subscribe((now) => openKey.set(openSessionKey(readRoute(pages, now))));
  return openKey;
}

// who was let in last time sees the window at once; anybody else first waits for the answer, so that nothing flashes
function showWhenKnown(element: StewardApp, frame: Frame): void {
  const { state } = frame.app.link;
  state.subscribe((now) => {
    if (now === "open") localStorage.setItem(knownKey, "yes");
    if (now === "signed-out") localStorage.removeItem(knownKey);
    element.frame = frame;
  });
  if (localStorage.getItem(knownKey)) element.frame = frame;
}

async function useCodeInAddress(): Promise<void> {
  const code = codeInHash(location.hash);
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  const signedIn = await exchangeCode(fetch, code);
  signInProblem.set(signedIn.ok ? undefined : signedIn.problem);
}

/** True while the small offline model answers because nobody has connected a real one. */
function openNeedsModel(link: GatewayLink): Watched<boolean> {
  const needsModel = openWatched(false);
  link.state.subscribe((state) => {
    if (state === "open") void read();
  });
  link.follow((followed) => {
    if (followed.type === "settings.changed") void read();
  });
  return needsModel;

  async function read(): Promise<void> {
    try {
      needsModel.set((await link.call("models.list", {})).chosen.startsWith("offline/"));
    } catch {
      // a hint that cannot be given is left out; a lost connection is said elsewhere
    }
  }
}

type ScriptUrlPolicy = { createScriptURL(url: string): string };
type PolicyFactory = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
};

/** Keeps the page at hand while Steward is away, and receives its notifications. */
async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // the page's policy takes no address for a worker but one that this names
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  const policy = factory?.createPolicy("steward", {
    createScriptURL(url) {
      if (url !== workerPath) throw new TypeError(`${url} is no script of this page`);
      return url;
    },
  });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(workerPath) ?? workerPath);
  } catch {
    // refused in private windows and over plain http on another host; the page works without it
  }
}
