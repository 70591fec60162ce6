// Webhook mode: Telegram calls, and is answered 200 only when the update was taken; otherwise it calls again.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import { defineRoute, type Route, refuse } from "../../contract/room/route.ts";
import { type BotApi, patient } from "./bot-api.ts";
import type { Intake } from "./intake.ts";
import { allowedUpdates, readRawUpdate } from "./reading/update-shapes.ts";
import type { Timings } from "./timings.ts";

const path = "/channels/telegram/webhook";
const secretHeader = "x-telegram-bot-api-secret-token";
const freshMs = 600_000;
const WebhookInfo = z.object({
  url: z.string().optional(),
  last_error_date: z.number().optional(),
  last_error_message: z.string().optional(),
});

/** The word by which Telegram shows that it is Telegram; the same over a restart. */
export async function webhookSecret(base: Pick<ChannelBase, "remember" | "recall">): Promise<string> {
  const known = await base.recall("webhookSecret");
  if (known !== undefined) return known;
  const secret = randomBytes(32).toString("hex");
  await base.remember("webhookSecret", secret);
  return secret;
}

type WatchDeps = {
  api: BotApi;
  sleep: ChannelBase["sleep"];
  timings: Timings;
  publicUrl: string;
  secret: string;
  nowMs(): number;
  /** It stands; with what Telegram complains of, if it could not deliver lately. */
  onStanding(complaint: string | undefined): void;
};

/** Sets the webhook, and looks now and then whether it still stands. */
export async function watchWebhook(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  const url = `${deps.publicUrl.replace(/\/+$/, "")}${path}`;
  await set();
  while (!signal.aborted) {
    const info = WebhookInfo.parse(await deps.api.calls.getWebhookInfo(patient(signal)));
    if (info.url !== url) await set();
    const isFresh = deps.nowMs() - (info.last_error_date ?? 0) * 1000 < freshMs;
    deps.onStanding(isFresh ? info.last_error_message : undefined);
    await deps.sleep(deps.timings.checkMs, signal);
  }

  async function set(): Promise<void> {
    await deps.api.calls.setWebhook(
      { url, secret_token: deps.secret, allowed_updates: allowedUpdates },
      patient(signal),
    );
  }
}

/** `isReady`: it is known as whom Steward is connected, without which no mention can be told. */
export function webhookRoute(deps: { secret: string; intake: Intake; isReady(): boolean }): Route {
  return defineRoute({
    method: "POST",
    path,
    summary: "Telegram hands over what was written to the bot. Called by Telegram only.",
    scopes: "anyone",
    bodyType: "any",
    maxBodyBytes: 1024 * 1024,
    responses: { 200: { description: "It is on disk, or concerns nobody." } },
    refusals: [401, 500],
    documented: {
      requestHeaders: [
        { name: "X-Telegram-Bot-Api-Secret-Token", description: "What Steward told Telegram.", required: true },
      ],
      body: { contentType: "application/json", schema: z.looseObject({ update_id: z.number() }) },
    },
    async answer({ headers, rawBody }) {
      if (!isSame(deps.secret, headers[secretHeader])) return refuse(401, "unauthorized", "This is not Telegram.");
      if (!deps.isReady()) return notNow();
      const update = readRawUpdate(parse(rawBody));
      // what cannot be read today cannot be read tomorrow either, so it must not come again
      if (!update) return { status: 200 };
      return (await deps.intake.take(update)) ? { status: 200 } : notNow();
    },
  });
}

function notNow() {
  return refuse(500, "failed", "It could not be kept. Send it again.");
}

// hashes are of one length, so that the comparison tells nothing but whether they are equal
function isSame(secret: string, given: string | readonly string[] | undefined): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return typeof given === "string" && timingSafeEqual(hash(secret), hash(given));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // no JSON is as unreadable as JSON of an unknown shape
    return undefined;
  }
}
