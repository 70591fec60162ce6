/**
 * A workspace of Slack on a free loopback port: the Web API below /api/ and socket mode, strict where Slack is, with faults.
 *
 *   const slack = await startFakeSlack();
 *   slack.say({ channel: "D1", text: "hello" });          // a person writes; the event goes over the socket
 *   slack.faults.push({ method: "chat.postMessage", kind: "ratelimited", retryAfter: 7 });
 *   expect(slack.messages("D1")).toMatchObject([{ text: "hello" }]);
 *   await slack.close();
 *
 * UADA and UBEN are people, UBOT is Steward; D1 is the direct chat with Ada, C1 is #general, G1 a chat of several.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Args, answerMethod, MethodRefused } from "./slack-methods.ts";
import { openSlackSockets, type SlackSockets } from "./slack-sockets.ts";
import { newWorkspace, type SlackMessage } from "./slack-workspace.ts";

export type SlackRequest = { method: string; token: string; args: Args };
/** before: nothing has happened yet; after: it has, and only the answer is lost. Each is used once. */
export type SlackFault = { method: string } & (
  | { kind: "ratelimited"; retryAfter: number }
  | { kind: "status"; status: number }
  | { kind: "error"; error: string; needed?: string }
  | { kind: "drop"; when: "before" | "after" }
  | { kind: "silent"; when?: "before" | "after" }
);
export type SaidWords = {
  channel: string;
  text?: string;
  user?: string;
  thread?: string;
  files?: readonly unknown[];
  /** What else stands in the event. */
  with?: Readonly<Record<string, unknown>>;
};
export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>;

export async function startFakeSlack() {
  const tokens = { bot: "xoxb-test-bot", app: "xapp-test-app" };
  const requests: SlackRequest[] = [];
  const faults: SlackFault[] = [];
  let held = 0;
  const server = createServer((incoming, response) => {
    // a client that goes away in the middle of an answer is what the tests provoke; there is nobody left to tell
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sockets: SlackSockets = openSlackSockets(server);
  const workspace = newWorkspace(origin, () => `${origin.replace("http", "ws")}/link?ticket=${requests.length}`);

  return {
    apiUrl: `${origin}/api/`,
    origin,
    tokens,
    requests,
    faults,
    sockets,
    reactions: workspace.reactions,
    history: workspace.history,
    files: workspace.files,
    /** Somebody writes: kept in the history, and sent as an event if a socket is open. */
    say(words: SaidWords): string {
      const message = keep(words);
      sockets.event(eventOf(words.channel, message));
      return message.ts;
    },
    /** Written down and not told to anybody. */
    keep: (words: SaidWords): string => keep(words).ts,
    event: (event: Readonly<Record<string, unknown>>) => sockets.event(event),
    press(press: { channel: string; ts: string; value: string; user?: string; thread?: string }): void {
      const { channel, ts, thread } = press;
      sockets.interactive({
        type: "block_actions",
        user: { id: press.user ?? "UADA", username: "ada" },
        channel: { id: channel, name: "somewhere" },
        message: { ts, ...(thread && { thread_ts: thread }) },
        container: { type: "message", message_ts: ts, channel_id: channel },
        actions: [{ type: "button", value: press.value, action_id: "press:0:0", action_ts: workspace.nextTs() }],
        response_url: `${origin}/respond/1`,
      });
    },
    /** Somebody writes "/steward …". */
    command(command: { channel: string; text: string; name?: string; user?: string }): void {
      const { channel, text, name = channel.startsWith("D") ? "directmessage" : "general", user = "UADA" } = command;
      sockets.envelope("slash_commands", {
        ...{ team_id: "T1", channel_id: channel, channel_name: name, user_id: user, user_name: user.toLowerCase() },
        ...{ command: "/steward", text, trigger_id: `1.${workspace.nextTs()}`, response_url: `${origin}/respond/2` },
      });
    },
    /** How many requests have been met with silence. */
    held: () => held,
    messages: (channel: string): readonly SlackMessage[] => workspace.channels.get(channel)?.messages ?? [],
    calls: (method: string): readonly SlackRequest[] => requests.filter((request) => request.method === method),
    addFile(name: string, mimetype: string, data: string): Record<string, unknown> {
      const id = workspace.nextId("F");
      workspace.files.set(id, { id, name, mimetype, data: Buffer.from(data), isUploaded: true });
      const url_private_download = `${origin}/files/${id}/download`;
      return { id, name, mimetype, size: Buffer.byteLength(data), url_private_download };
    },
    async close(): Promise<void> {
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function keep({ channel, text = "", user = "UADA", thread, files, with: more }: SaidWords): SlackMessage {
    const place = workspace.channels.get(channel);
    if (!place) throw new Error(`the fake has no channel ${channel}`);
    const isFile = files !== undefined;
    const message = {
      ...{ type: "message", user, text, ts: workspace.nextTs() },
      ...(thread && { thread_ts: thread }),
      ...(isFile && { subtype: "file_share", files }),
      ...more,
    };
    place.messages.push(message);
    return message;
  }

  function eventOf(channel: string, message: SlackMessage): Record<string, unknown> {
    const kind = channel.startsWith("D") ? "im" : channel.startsWith("G") ? "mpim" : "channel";
    return { ...message, channel, channel_type: kind, event_ts: message.ts };
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const path = (incoming.url ?? "").split("?")[0] ?? "";
    const method = path.startsWith("/api/") ? path.slice("/api/".length) : (path.split("/")[1] ?? "");
    const token = (incoming.headers.authorization ?? "").replace(/^Bearer /, "");
    const body = await readAll(incoming);
    const args = method === "upload" ? {} : readArgs(incoming.headers["content-type"] ?? "", body.toString());
    requests.push({ method, token, args });
    const fault = takeFault(method);
    if (fault && failBefore(fault, incoming, response)) return undefined;
    if (method === "files") return sendFile(response, path, token);
    if (method === "upload") return takeUpload(response, path, body);
    if (method === "respond") return sendJson(response, { ok: true });
    const answer = answerOrRefuse(method, token, args);
    return fault ? failAfter(fault, incoming) : sendJson(response, answer);
  }

  function failAfter({ kind }: SlackFault, incoming: IncomingMessage): void {
    if (kind === "silent") held += 1;
    else incoming.socket.destroy();
  }

  /** Whether that was all of the answer. */
  function failBefore(fault: SlackFault, incoming: IncomingMessage, response: ServerResponse): boolean {
    if (fault.kind === "status") send(response, fault.status, "text/html", "<html>not today</html>");
    if (fault.kind === "error") {
      const { error, needed } = fault;
      sendJson(response, { ok: false, error, ...(needed && { needed }) });
    }
    if (fault.kind === "drop" && fault.when === "before") incoming.socket.destroy();
    if (fault.kind === "ratelimited") {
      response.setHeader("retry-after", String(fault.retryAfter));
      send(response, 429, "application/json", JSON.stringify({ ok: false, error: "ratelimited" }));
    }
    const isLater = (fault.kind === "drop" || fault.kind === "silent") && fault.when === "after";
    if (fault.kind === "silent" && !isLater) held += 1;
    return !isLater;
  }

  function answerOrRefuse(method: string, token: string, args: Args): Record<string, unknown> {
    if (token !== (method === "apps.connections.open" ? tokens.app : tokens.bot))
      return { ok: false, error: "invalid_auth" };
    try {
      return { ok: true, ...answerMethod(workspace, method, args) };
    } catch (cause) {
      if (!(cause instanceof MethodRefused)) throw cause;
      return { ok: false, error: cause.message };
    }
  }

  function takeFault(method: string): SlackFault | undefined {
    const index = faults.findIndex((fault) => fault.method === method);
    return index < 0 ? undefined : faults.splice(index, 1)[0];
  }

  function sendFile(response: ServerResponse, path: string, token: string): ServerResponse {
    const file = workspace.files.get(path.split("/")[2] ?? "");
    if (!file || token !== tokens.bot) return send(response, 200, "text/html", "<html>Sign in to Slack</html>");
    return send(response, 200, file.mimetype, file.data);
  }

  function takeUpload(response: ServerResponse, path: string, body: Buffer): ServerResponse {
    const file = workspace.files.get(path.split("/")[2] ?? "");
    if (!file) return send(response, 404, "text/plain", "no such upload");
    Object.assign(file, { data: body, isUploaded: true });
    return send(response, 200, "text/plain", `OK - ${body.length}`);
  }
}

/** As the Web API takes them: a form whose objects are JSON, or JSON. */
function readArgs(contentType: string, body: string): Args {
  if (contentType.includes("json")) return JSON.parse(body);
  return Object.fromEntries([...new URLSearchParams(body)].map(([name, value]) => [name, readValue(value)]));
}

function readValue(value: string): unknown {
  try {
    return /^[[{]/.test(value) ? JSON.parse(value) : value;
  } catch {
    // words that only look like JSON
    return value;
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sendJson(response: ServerResponse, body: Record<string, unknown>): ServerResponse {
  return send(response, 200, "application/json; charset=utf-8", JSON.stringify(body));
}

function send(response: ServerResponse, status: number, contentType: string, body: string | Buffer): ServerResponse {
  return response.writeHead(status, { "content-type": contentType }).end(body);
}
