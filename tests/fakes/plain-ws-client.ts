// A client that knows nothing but `ws` and the protocol's words.
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";

export type Frame = Record<string, unknown> & {
  id?: unknown;
  event?: string;
  data?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: { reason: string } };
};

export type PlainClient = Awaited<ReturnType<typeof connectPlain>>;

/** Connects and says nothing yet. */
export async function connectPlain(
  url: string,
  options: { headers?: Record<string, string>; autoPong?: boolean } = {},
) {
  const socket = new WebSocket(url, options);
  const frames: Frame[] = [];
  const listeners = new Set<() => void>();
  let count = 0;
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    for (const listener of listeners) listener();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once("close", (code, reason) => {
      resolve({ code, reason: String(reason) });
      for (const listener of listeners) listener();
    }),
  );
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  // a socket that breaks later is seen by its close
  socket.on("error", () => undefined);
  onTestFinished(() => socket.terminate());

  const until = <Found>(find: (frames: readonly Frame[]) => Found | undefined | false): Promise<Found> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find(frames);
        if (found === undefined || found === false) {
          if (socket.readyState === WebSocket.CLOSED) reject(new Error("the socket closed before it came"));
          return;
        }
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  const send = (frame: unknown) =>
    socket.send(typeof frame === "string" || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  return {
    socket,
    frames,
    closed,
    until,
    send,
    async ask(method: string, params?: unknown): Promise<Frame> {
      count += 1;
      const id = `ask-${count}`;
      send({ id, method, params });
      return until((all) => all.find((frame) => frame.id === id));
    },
    async signIn(token?: string, more: Record<string, unknown> = {}): Promise<Frame> {
      send({ type: "auth", token, ...more });
      return until((all) => all.find((frame) => frame.type === "auth"));
    },
    /** The data of all push events of this name so far. */
    pushed: (event: string) => frames.flatMap((frame) => (frame.event === event && frame.data ? [frame.data] : [])),
    /** What a person reads of a run: a reset takes back what was shown. */
    textOf: (runId: unknown) =>
      frames.reduce((text, { event, data }) => {
        if (event !== "chat.delta" || !data || data.runId !== runId) return text;
        return data.reset ? "" : text + String(data.text);
      }, ""),
  };
}
