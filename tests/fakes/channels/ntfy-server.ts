// An ntfy server on a free loopback port, compared with the real 2.11 and 2.27: topics that keep what was published, JSON streams,
// tokens, limits. It can also be the phone: it shows what a topic holds and presses a button by the request that the button names.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type NtfyAction = { label: string; url: string; method: string; body: string; headers?: Record<string, string> };

export type NtfyMessage = {
  id: string;
  time: number;
  event: "message" | "message_delete";
  topic: string;
  sequence_id?: string;
  title?: string;
  message: string;
  priority?: number;
  tags?: string[];
  actions?: NtfyAction[];
  content_type?: string;
  attachment?: { name: string; size: number };
};

export type NtfyRequest = { method: string; url: string; headers: IncomingMessage["headers"]; body: Buffer };

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** Once for the next request that fits; `after`: what was asked is done, and only the answer is lost. */
export type NtfyFault = {
  on: "publish" | "subscribe";
  how: Answer | "cut off" | "cut off after" | "never answer" | "never answer after";
};

export async function startNtfyServer(
  options: {
    token?: string;
    /** May write to topics for presses and nothing else. "everyone": whoever has no token may. */
    pressToken?: string;
    knowsSequences?: boolean;
    keepAliveMs?: number;
    ends?: (close: () => Promise<void> | void) => void;
  } = {},
) {
  // `ends` is told how to close it; a test closes it at its own end
  const { knowsSequences = true, keepAliveMs = 45_000, ends = onTestFinished } = options;
  const messages: NtfyMessage[] = [];
  const requests: NtfyRequest[] = [];
  const faults: NtfyFault[] = [];
  const streams = new Map<ServerResponse, string>();
  let made = 0;
  const fake = {
    url: "",
    requests,
    faults,
    /** Asked for, once it is set. */
    token: options.token,
    /** Streams say nothing any more. */
    isSilent: false,
    /** Every message is said twice. */
    isDoubling: false,
    /** How many requests have been met with silence. */
    held: 0,
    on: (topic: string) => messages.filter((message) => message.topic === topic),
    subscribers: () => streams.size,
    /** How often a stream was asked for. */
    subscriptions: () => requests.filter(isSubscription).length,
    dropStreams() {
      for (const stream of streams.keys()) stream.destroy();
    },
    /** What the phone does when somebody presses. */
    async press({ actions = [] }: Pick<NtfyMessage, "actions">, label: string): Promise<Response> {
      const action = actions.find((one) => one.label === label);
      if (!action) throw new Error(`no button ${label}`);
      const { url, method, headers, body } = action;
      return fetch(url, { method, body, ...(headers && { headers }) });
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => take(request, Buffer.concat(chunks), response));
  });
  server.keepAliveTimeout = 1;
  const pulse = setInterval(() => {
    if (!fake.isSilent) for (const [stream, topic] of streams) say(stream, { event: "keepalive", topic });
  }, keepAliveMs);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ends(async () => {
    clearInterval(pulse);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return fake;

  function take(raw: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const request: NtfyRequest = { method: raw.method ?? "", url: raw.url ?? "", headers: raw.headers, body };
    requests.push(request);
    const how = nextFault(isSubscription(request) ? "subscribe" : "publish");
    if (how === "never answer") return void fake.held++;
    if (how === "cut off") response.destroy();
    else if (typeof how === "object") answer(response, how);
    else {
      const answered = serve(request, response);
      if (how === "never answer after") return void fake.held++;
      if (how === "cut off after") response.destroy();
      else if (answered) answer(response, answered);
    }
  }

  function nextFault(on: NtfyFault["on"]): NtfyFault["how"] | undefined {
    const found = faults.findIndex((fault) => fault.on === on);
    return found < 0 ? undefined : faults.splice(found, 1)[0]?.how;
  }

  /** Undefined: a stream, which answers by itself. */
  function serve(request: NtfyRequest, response: ServerResponse): Answer | undefined {
    const { pathname, searchParams } = new URL(request.url, "http://ntfy");
    const [topic = "", second, more] = pathname.slice(1).split("/");
    const refused = refusalOf(request);
    if (refused) return refused;
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(topic) || more !== undefined) return notFound;
    switch (request.method) {
      case "GET":
        if (second === "json") read(response, topic, searchParams);
        return second === "json" ? undefined : notFound;
      case "DELETE":
        if (second === undefined || !knowsSequences) return notFound;
        return { status: 200, body: add({ event: "message_delete", topic, sequence_id: second, message: "" }) };
      default:
        return second === undefined ? publish(topic, request) : notFound;
    }
  }

  function mayPress(method: string, url: string, authorization: string | undefined): boolean {
    const given = options.pressToken === "everyone" ? undefined : `Bearer ${options.pressToken}`;
    return (
      options.pressToken !== undefined && method === "POST" && /-[a-z2-7]{24}$/.test(url) && authorization === given
    );
  }

  function refusalOf({ method, url, headers }: NtfyRequest): Answer | undefined {
    if (fake.token === undefined || headers.authorization === `Bearer ${fake.token}`) return undefined;
    if (mayPress(method, url, headers.authorization)) return undefined;
    return headers.authorization === undefined ? refusal(403, 40301, "forbidden") : refusal(401, 40101, "unauthorized");
  }

  function read(response: ServerResponse, topic: string, query: URLSearchParams): void {
    response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
    const isPoll = query.get("poll") === "1";
    if (!isPoll) say(response, { event: "open", topic });
    for (const message of kept(topic, query.get("since") ?? (isPoll ? "all" : "none"))) say(response, message);
    if (isPoll) return void response.end();
    streams.set(response, topic);
    response.on("close", () => streams.delete(response));
  }

  // a message that the server does not know any more counts as older than all that it has
  function kept(topic: string, since: string): readonly NtfyMessage[] {
    const after = messages.findIndex(({ id }) => id === since);
    const hours = /^(\d+)h$/.exec(since)?.[1];
    const fromSeconds = hours ? Date.now() / 1000 - Number(hours) * 3600 : /^\d{9,}$/.test(since) ? Number(since) : 0;
    return since === "none"
      ? []
      : messages.slice(after + 1).filter((one) => one.topic === topic && one.time >= Math.floor(fromSeconds));
  }

  function publish(topic: string, { headers, body }: NtfyRequest): Answer {
    const actions: NtfyAction[] = JSON.parse(decodeWords(headers.actions ?? "[]"));
    if (actions.length > 3) return refusal(400, 40018, "invalid request: actions invalid; only 3 actions allowed");
    // a text that is too long becomes a file, too
    const file = decodeWords(headers.filename ?? (body.byteLength >= 4096 ? "attachment.txt" : ""));
    const words = file === "" ? body.toString() : decodeWords(headers.message ?? "");
    const message = add({
      ...{ event: "message", topic, message: words.trim() || (file ? `You received a file: ${file}` : "triggered") },
      ...readDetails(headers),
      ...(actions.length > 0 && { actions }),
      ...(file && { attachment: { name: file, size: body.byteLength } }),
    });
    return { status: 200, body: message };
  }

  function readDetails({ title, priority, tags, markdown, "x-sequence-id": sequence }: NtfyRequest["headers"]) {
    return {
      ...(title && { title: decodeWords(title) }),
      ...(priority && { priority: Number(priority) }),
      ...(tags && { tags: decodeWords(tags).split(",") }),
      ...(markdown === "yes" && { content_type: "text/markdown" }),
      ...(knowsSequences && sequence && { sequence_id: String(sequence) }),
    };
  }

  function add(message: Omit<NtfyMessage, "id" | "time">): NtfyMessage {
    const added = { id: `message${++made}`, time: Math.floor(Date.now() / 1000), ...message };
    messages.push(added);
    for (const [stream, topic] of streams)
      if (topic === added.topic && !fake.isSilent)
        for (const line of fake.isDoubling ? [added, added] : [added]) say(stream, line);
    return added;
  }

  function say(stream: ServerResponse, line: object): void {
    stream.write(`${JSON.stringify({ id: `line${++made}`, time: Math.floor(Date.now() / 1000), ...line })}\n`);
  }
}

const notFound = refusal(404, 40401, "page not found");

function refusal(status: number, code: number, error: string): Answer {
  return { status, body: { code, http: status, error } };
}

function answer(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? "" : `${JSON.stringify(body)}\n`);
}

function isSubscription({ method, url }: NtfyRequest): boolean {
  return method === "GET" && !url.includes("poll=1");
}

// encoded words of RFC 2047, in base64
function decodeWords(header: string | readonly string[]): string {
  return String(header).replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, text: string) =>
    Buffer.from(text, "base64").toString(),
  );
}
