// The Bot API on a free loopback port: it holds polls and forgets updates only when they are acknowledged, refuses what Telegram
// refuses in Telegram's words, keeps what the chats show, and fails as told.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type FakeMessage, openTelegramChats, Refusal, type Shown, type TelegramRequest } from "./telegram-chats.ts";
import { readMultipart } from "./telegram-multipart.ts";

/** before: it has not been looked at. after: it has been done, and the answer is lost. */
export type TelegramFault =
  | { kind: "refuse"; status: number; description: string; parameters?: Record<string, unknown> }
  | { kind: "drop"; when: "before" | "after" }
  | { kind: "silence"; when?: "before" | "after" }
  | { kind: "malformed" };

type Person = { id: number; first_name: string; is_bot?: boolean; username?: string; last_name?: string };
type Said = { from?: Person; thread?: number; message?: FakeMessage };
type Update = { update_id: number } & Record<string, unknown>;
type Poll = { answer(updates: readonly Update[]): void; end(problem: Refusal): void };

export const anna: Person = { id: 42, first_name: "Anna", last_name: "Berg" };
export const tooManyRequests = (seconds: number): TelegramFault => ({
  kind: "refuse",
  status: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
});

/** `ends` is told how to close it; a test closes it at its own end. */
export async function startFakeTelegram(
  options: { token?: string; ends?: (close: () => Promise<void> | void) => void } = {},
) {
  const { token = "123456:test-token-of-the-bot", ends = onTestFinished } = options;
  const me = {
    id: 999,
    is_bot: true,
    first_name: "Steward",
    username: "Steward_Bot",
    can_read_all_group_messages: true,
  };
  const requests: TelegramRequest[] = [];
  const faults = new Map<string, TelegramFault[]>();
  const stored = new Map<string, { path: string; data: Buffer; size: number }>();
  const chats = openTelegramChats(me);
  const order = { reversed: false };
  let known = token;
  let pending: Update[] = [];
  let nextUpdate = 5_000;
  let held = 0;
  let waiting: Poll | undefined;
  let webhook: Record<string, unknown> | undefined;

  const server = createServer((request, response) => void serve(request, response));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  ends(close);

  return {
    ...{ url, token, me, requests, order, close, deliver, chats: chats.known },
    /** What the bot asked for by one method. */
    asked: (method: string) => requests.filter((request) => request.method === method),
    pending: () => pending.map(({ update_id }) => update_id),
    /** How many requests have been met with silence. */
    held: () => held,
    webhook: () => webhook,
    say(chat: number, text: string, { from = anna, thread, message = {} }: Said = {}): number {
      const own = chats.place(chat, { ...said(chat, from, thread), text, ...message });
      deliver({ message: own });
      return own.message_id;
    },
    /** The same with anything but text. */
    show(chat: number, message: FakeMessage, { from = anna, thread }: Said = {}): number {
      const own = chats.place(chat, { ...said(chat, from, thread), ...message });
      deliver({ message: own });
      return own.message_id;
    },
    press(messageId: number, data: string, from: Person = anna): void {
      const message = chats.find(messageId);
      if (!message) throw new Error(`there is no message ${messageId}`);
      deliver({
        callback_query: {
          id: `press-${nextUpdate}`,
          from: { is_bot: false, ...from },
          data,
          message,
          chat_instance: "1",
        },
      });
    },
    messages: (chat: number): readonly Shown[] => chats.messages(chat),
    /** The next calls of a method fail so, one after the other; of "sendMessage 42", only those in that chat. */
    fail(method: string, fault: TelegramFault, times = 1): void {
      faults.set(method, [...(faults.get(method) ?? []), ...Array.from({ length: times }, () => fault)]);
    },
    mend: () => faults.clear(),
    /** What a person has uploaded: the number by which the bot can load it. */
    upload(data: Buffer, path: string, size = data.byteLength): string {
      const id = `file-${stored.size + 1}`;
      stored.set(id, { path, data, size });
      return id;
    },
    revokeToken(): void {
      known = "";
    },
    restoreToken(): void {
      known = token;
    },
    setWebhookOfSomebody(): void {
      webhook = { url: "https://elsewhere.example/hook" };
    },
  };

  function said(chat: number, from: Person, thread: number | undefined) {
    const topic = thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true };
    const date = Math.floor(Date.now() / 1000);
    return { date, from: { is_bot: false, ...from }, chat: chats.open(chat, from), ...topic };
  }

  function deliver(update: Record<string, unknown>, id = nextUpdate): void {
    nextUpdate = Math.max(nextUpdate, id + 1);
    pending.push({ update_id: id, ...update });
    pending.sort((one, other) => one.update_id - other.update_id);
    if (!waiting) return;
    waiting.answer(batch());
    waiting = undefined;
  }

  function batch(limit = 100): readonly Update[] {
    const first = pending.slice(0, limit);
    return order.reversed ? first.toReversed() : first;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind, ...path] = (request.url ?? "").split("/");
    const body = await bytesOf(request);
    if (kind === "file") return serveFile(path, response);
    const method = path.join("/");
    const sent = read(method, request, body);
    requests.push(sent);
    const fault = takeFault(sent);
    if (fault && failsBefore(fault, request, response)) return;
    try {
      if (kind !== `bot${known}`) throw new Refusal(401, "Unauthorized");
      if (fault?.kind === "refuse") throw new Refusal(fault.status, fault.description, fault.parameters);
      const result = await act(sent, response);
      if (fault?.kind === "silence") return void held++;
      if (fault?.kind === "drop") return void request.socket.destroy();
      write(response, 200, { ok: true, result });
    } catch (cause) {
      refuse(response, cause);
    }
  }

  /** Whether that was all that is done with the request. */
  function failsBefore(fault: TelegramFault, request: IncomingMessage, response: ServerResponse): boolean {
    if (fault.kind === "silence" && fault.when !== "after") held++;
    else if (fault.kind === "drop" && fault.when === "before") request.socket.destroy();
    else if (fault.kind === "malformed") response.end("<html>502 Bad Gateway</html>");
    else return false;
    return true;
  }

  function takeFault({ method, body }: TelegramRequest): TelegramFault | undefined {
    return faults.get(`${method} ${body.chat_id}`)?.shift() ?? faults.get(method)?.shift();
  }

  async function act(sent: TelegramRequest, response: ServerResponse): Promise<unknown> {
    const { method, body } = sent;
    switch (method) {
      case "getMe":
        return me;
      case "getUpdates":
        return getUpdates(body, response);
      case "setWebhook":
        webhook = body;
        return true;
      case "deleteWebhook":
        webhook = undefined;
        return true;
      case "getWebhookInfo":
        return { url: webhook?.url ?? "", pending_update_count: pending.length };
      case "answerCallbackQuery":
      case "sendChatAction":
      case "setMessageReaction":
        return true;
      case "getFile":
        return getFile(String(body.file_id));
      default:
        return chats.act(sent);
    }
  }

  function getUpdates(
    body: Record<string, unknown>,
    response: ServerResponse,
  ): Promise<readonly Update[]> | readonly Update[] {
    if (webhook) {
      const use = "use deleteWebhook to delete the webhook first";
      throw new Refusal(409, `Conflict: can't use getUpdates method while webhook is active; ${use}`);
    }
    const offset = Number(body.offset ?? 0);
    pending = pending.filter(({ update_id }) => update_id >= offset);
    const only = "make sure that only one bot instance is running";
    waiting?.end(new Refusal(409, `Conflict: terminated by other getUpdates request; ${only}`));
    waiting = undefined;
    const seconds = Number(body.timeout ?? 0);
    if (pending.length > 0 || seconds === 0) return batch(Number(body.limit ?? 100));
    return new Promise((resolve, reject) => {
      const own: Poll = { answer: resolve, end: reject };
      waiting = own;
      const timer = setTimeout(() => leave([]), seconds * 1000);
      // whoever hung up hears nothing any more, so what comes next is not spent on them
      response.on("close", () => leave([]));

      function leave(updates: readonly Update[]): void {
        clearTimeout(timer);
        if (waiting === own) waiting = undefined;
        resolve(updates);
      }
    });
  }

  function getFile(id: string): unknown {
    const file = stored.get(id);
    if (!file) throw new Refusal(400, "Bad Request: wrong file_id or the file is temporarily unavailable");
    if (file.size > 20 * 1024 * 1024) throw new Refusal(400, "Bad Request: file is too big");
    return { file_id: id, file_unique_id: id, file_size: file.size, file_path: file.path };
  }

  function serveFile([bot, ...path]: readonly string[], response: ServerResponse): void {
    const wanted = path.map(decodeURIComponent).join("/");
    const file = [...stored.values()].find((one) => one.path === wanted);
    requests.push({ method: "file", body: { path: wanted }, files: {} });
    const fault = faults.get("file")?.shift();
    if (fault?.kind === "drop") return void response.socket?.destroy();
    if (bot !== `bot${known}` || !file) return void response.writeHead(404).end("not found");
    response.end(file.data);
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
}

function read(method: string, request: IncomingMessage, body: Buffer): TelegramRequest {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) {
    return { method, body: body.length > 0 ? JSON.parse(body.toString("utf8")) : {}, files: {} };
  }
  const { fields, files } = readMultipart(type, body);
  const keyboard = fields.reply_markup;
  return { method, body: { ...fields, ...(keyboard ? { reply_markup: JSON.parse(keyboard) } : {}) }, files };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // a client that breaks off has sent nothing that counts
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return Buffer.alloc(0);
  }
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, cause: unknown): void {
  if (!(cause instanceof Refusal)) throw cause;
  const { status: error_code, message: description, parameters } = cause;
  write(response, error_code, { ok: false, error_code, description, ...(parameters ? { parameters } : {}) });
}

function write(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
