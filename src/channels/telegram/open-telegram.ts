// Telegram: updates come in by polling or by a webhook, messages go out by the Bot API.
import type { Channel, ChannelBase } from "../../contract/channel/channel.ts";
import { openBotApi, patient } from "./bot-api.ts";
import { openConnection } from "./connection.ts";
import { openIntake, type RawUpdate } from "./intake.ts";
import { poll } from "./poll.ts";
import { readUpdate } from "./read-update.ts";
import { describeUpdate, Me } from "./reading/update-shapes.ts";
import { renderTelegram } from "./render.ts";
import { openSender } from "./send.ts";
import { type Timings, usualTimings } from "./timings.ts";
import { watchWebhook, webhookRoute, webhookSecret } from "./webhook.ts";

const longestFarewellMs = 1_000;
const maxPressAnswer = 200;

export async function openTelegram(base: ChannelBase, timings: Timings = usualTimings): Promise<Channel> {
  const { mode, apiUrl } = base.settings.channels.telegram;
  const { publicUrl } = base.settings.gateway;
  const webhook = mode === "webhook" && publicUrl ? { publicUrl, secret: await webhookSecret(base) } : undefined;
  const closing = new AbortController();
  const token = base.secret("TELEGRAM_BOT_TOKEN");
  const api = await openBotApi({ token, apiUrl, timings, onAnswer: () => connection.prove() });
  const intake = openIntake({ hand, giveUp, nowMs: base.world.nowMs, timings });
  const connection = openConnection({ base: { ...base, sleep }, timings, connect });
  let me: Me | undefined;

  return {
    ...openSender({ api, trouble: base.trouble, stopped: closing.signal }),
    start: connection.start,
    async reconnect() {
      api.hangUp();
      await connection.reconnect();
    },
    async close() {
      closing.abort();
      await connection.close();
      const waited = new AbortController();
      await Promise.race([intake.idle(), base.sleep(longestFarewellMs, waited.signal)]);
      waited.abort();
      api.close();
    },
    life: connection.life,
    render: renderTelegram,
    // the chat with a person has the number of the person; it exists once they have written to the bot
    directAddress: async (personId) => ({ chat: personId }),
    routes: async () =>
      webhook ? [webhookRoute({ intake, secret: webhook.secret, isReady: () => me !== undefined })] : [],
  };

  async function connect(connected: (detail: string) => void, signal: AbortSignal): Promise<void> {
    const known = Me.parse(await api.calls.getMe(patient(signal)));
    me = known;
    const tell = (complaint?: string) => connected(described(known, complaint));
    const nowMs = () => base.world.nowMs();
    if (!webhook) return poll({ api, intake, timings, sleep, nowMs, onPoll: () => tell() }, signal);
    return watchWebhook({ api, timings, sleep, nowMs, ...webhook, onStanding: tell }, signal);
  }

  async function hand({ id, raw }: RawUpdate): Promise<boolean> {
    if (!me || closing.signal.aborted) return false;
    try {
      const update = readUpdate({ me, nowMs: base.world.nowMs(), readFile, answerPress }, raw);
      if (!update) {
        base.note("Telegram update passed over", { id });
        return true;
      }
      await base.take(update);
      return true;
    } catch (cause) {
      base.trouble("What somebody wrote on Telegram could not be kept; Telegram is asked for it again.", cause);
      return false;
    }
  }

  async function giveUp({ id, raw }: RawUpdate): Promise<boolean> {
    if (closing.signal.aborted) return false;
    try {
      // where nothing at all can be kept, it is not this one that is at fault
      await base.remember("givenUp", String(id));
    } catch {
      // that was told when the update itself could not be kept
      return false;
    }
    const words = `${describeUpdate(raw)} could not be kept in ${timings.hopelessTries} tries and more, and is given up`;
    base.trouble(`Telegram: ${words}. Whoever wrote it must write it again.`, undefined);
    return true;
  }

  function readFile(fileId: string) {
    return (signal: AbortSignal) => api.download(fileId, signal);
  }

  async function answerPress(pressId: string, text: string): Promise<void> {
    const words = text === "" ? {} : { text: text.slice(0, maxPressAnswer) };
    await api.calls
      .answerCallbackQuery({ callback_query_id: pressId, ...words }, patient(closing.signal))
      // a press that came twice has been answered, and an old one cannot be: what it did stands in the chat all the same
      .catch(() => undefined);
  }

  async function sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) await base.sleep(ms, signal);
  }
}

function described({ username, can_read_all_group_messages: hearsAll }: Me, complaint: string | undefined): string {
  const privacy = hearsAll ? "" : " In groups it hears only what is addressed to it: privacy mode is on in @BotFather.";
  const problem = complaint === undefined ? "" : ` Telegram could not deliver lately: ${complaint.slice(0, 200)}`;
  return `Connected as @${username}.${privacy}${problem}`;
}
