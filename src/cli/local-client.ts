import { connect, type Socket } from "node:net";
import { parseEvent } from "../contract/event.ts";
import { CallRefused, type Followed, type GatewayClient } from "../contract/wire/client.ts";
import { followMethod, ServerFrame, unfollowMethod } from "../contract/wire/frame.ts";
import { onLines } from "../contract/wire/frame-lines.ts";
import { LiveSignal } from "../contract/wire/live-signal.ts";
import { type MethodInput, type MethodName, type MethodResult, methods } from "../contract/wire/method.ts";

/** The gateway of a Steward that runs already; undefined when none answers on the socket. */
export async function connectLocal(path: string): Promise<GatewayClient | undefined> {
  const socket = await openSocket(path);
  return socket && clientOver(socket);
}

function openSocket(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", (cause: NodeJS.ErrnoException) => {
      // no file, or a file whose owner has died: nobody is there
      if (cause.code === "ENOENT" || cause.code === "ECONNREFUSED") resolve(undefined);
      else reject(cause);
    });
  });
}

function clientOver(socket: Socket): GatewayClient {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  const listeners = new Set<(followed: Followed) => void>();
  let nextId = 1;
  const gone = () => new CallRefused("failed", "The connection to Steward was lost.");
  const closed = new Promise<void>((resolve) => {
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      for (const call of waiting.values()) call.reject(gone());
      waiting.clear();
      resolve();
    });
  });
  onLines(socket, (line) => receive(JSON.parse(line)));

  return {
    async call<Name extends MethodName>(name: Name, params: MethodInput<Name>): Promise<MethodResult<Name>> {
      const result = await request(name, params);
      // a room may offer what only its own clients know
      return (Object.hasOwn(methods, name) ? methods[name].result.parse(result) : result) as MethodResult<Name>;
    },
    follow(since, listener) {
      listeners.add(listener);
      // a lost connection is told by `closed`
      request(followMethod, { since }).catch(() => undefined);
      return () => {
        listeners.delete(listener);
        request(unfollowMethod, {}).catch(() => undefined);
      };
    },
    closed,
    async close() {
      socket.end();
      await closed;
    },
  };

  function request(method: string, params: unknown): Promise<unknown> {
    if (socket.destroyed || socket.writableEnded) return Promise.reject(gone());
    const id = String(nextId++);
    const answered = Promise.withResolvers<unknown>();
    waiting.set(id, answered);
    socket.write(`${JSON.stringify({ id, method, params })}\n`);
    return answered.promise;
  }

  function receive(raw: unknown): void {
    const frame = ServerFrame.parse(raw);
    if ("push" in frame) {
      const followed = frame.push === "event" ? parseEvent(frame.data) : LiveSignal.parse(frame.data);
      for (const listener of listeners) listener(followed);
      return;
    }
    const call = waiting.get(frame.id);
    waiting.delete(frame.id);
    if ("error" in frame) call?.reject(new CallRefused(frame.error.code, frame.error.message));
    else call?.resolve(frame.result);
  }
}
