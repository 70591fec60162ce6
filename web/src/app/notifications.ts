// Web Push: the browser is asked, and what it hands out goes to the gateway.
import type { MethodInput } from "../../../src/contract/wire/method.ts";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";

export type Notifications = {
  /** unsupported: this browser cannot. off: it can be asked. blocked: the person said no, and only the browser can change that. */
  state(): Promise<"unsupported" | "off" | "on" | "blocked">;
  /** A sentence about what came of it. */
  allow(): Promise<{ ok: boolean; text: string }>;
  stop(): Promise<{ ok: boolean; text: string }>;
};

type Subscription = MethodInput<"push.subscribe">["subscription"];

export function openNotifications(link: GatewayLink): Notifications {
  const isSupported = "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
  return {
    async state() {
      if (!isSupported) return "unsupported";
      if (Notification.permission === "denied") return "blocked";
      return (await subscription()) ? "on" : "off";
    },
    async allow() {
      if (!isSupported) return { ok: false, text: "This browser has no notifications." };
      if ((await Notification.requestPermission()) !== "granted") {
        return {
          ok: false,
          text: "Notifications stay off. You can allow them in the browser's settings for this page.",
        };
      }
      return orProblem(async () => {
        const { publicKey } = await link.call("push.key", {});
        const registration = await navigator.serviceWorker.ready;
        const made = await registration.pushManager.subscribe({
          userVisibleOnly: true,
          applicationServerKey: publicKey,
        });
        await link.call("push.subscribe", { subscription: made.toJSON() as Subscription });
        return "You will be told what tasks say, and when something waits for your answer.";
      });
    },
    stop: () =>
      orProblem(async () => {
        const current = await subscription();
        await current?.unsubscribe();
        if (current) await link.call("push.unsubscribe", { endpoint: current.endpoint });
        return "Notifications are off.";
      }),
  };

  async function subscription(): Promise<PushSubscription | null> {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.pushManager.getSubscription()) ?? null;
  }
}

async function orProblem(work: () => Promise<string>): Promise<{ ok: boolean; text: string }> {
  try {
    return { ok: true, text: await work() };
  } catch (cause) {
    if (cause instanceof CallFailed) return { ok: false, text: cause.message };
    // the browser's push service is somebody else's: it may be unreachable or switched off
    if (cause instanceof DOMException) {
      return {
        ok: false,
        text: "This browser could not turn notifications on. Some need a connection to their maker for it.",
      };
    }
    throw cause;
  }
}
