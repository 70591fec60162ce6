// For programs of the same user on the same machine: a socket in a folder that only they can open.
import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { owner } from "../contract/wire/caller.ts";
import { CallRefused } from "../contract/wire/client.ts";
import {
  FollowParams,
  followMethod,
  type PushFrame,
  RequestFrame,
  type ResponseFrame,
  unfollowMethod,
} from "../contract/wire/frame.ts";
import { onLines } from "../contract/wire/frame-lines.ts";
import { openOutlet } from "./follow/outlet.ts";
import type { Gateway } from "./gateway.ts";

const maxFrameLength = 64 * 1024 * 1024;
const maxUnsentBytes = 1024 * 1024;
const graceMs = 1_000;

export type LocalSocket = { close(): Promise<void> };

type LocalSocketDeps = {
  path: string;
  gateway: Gateway;
  onTrouble(message: string, cause: unknown): void;
  note(message: string, fields: { open: number }): void;
};

/** Whoever can open it is the owner. */
export async function openLocalSocket(deps: LocalSocketDeps): Promise<LocalSocket> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    deps.note("local socket connected", { open: sockets.size });
    socket.on("close", () => {
      sockets.delete(socket);
      deps.note("local socket closed", { open: sockets.size });
    });
    serve(deps, socket);
  });
  // whoever holds the instance lock may clear away what a killed process left behind
  await rm(deps.path, { force: true });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(deps.path, resolve));
  await chmod(deps.path, 0o600);
  return {
    async close() {
      for (const socket of sockets) socket.end();
      // a client that was suspended never closes its side
      const late = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), graceMs);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearTimeout(late);
    },
  };
}

function serve(deps: LocalSocketDeps, socket: Socket): void {
  const outlet = openOutlet(
    {
      stream: socket,
      send: (frame, onSent) => socket.write(frame, onSent),
      unsentBytes: () => socket.writableLength,
      isOpen: () => socket.writable,
      onClose: (listener) => socket.once("close", listener),
    },
    maxUnsentBytes,
  );
  let unfollow = () => {};
  socket.on("error", () => unfollow());
  socket.on("close", () => unfollow());
  let length = 0;
  socket.on("data", (chunk: Buffer) => {
    length = chunk.includes(10) ? 0 : length + chunk.length;
    if (length > maxFrameLength) socket.destroy();
  });
  onLines(socket, (line) => {
    answer(line).catch((cause) => deps.onTrouble("A client's frame could not be answered.", cause));
  });

  async function answer(line: string): Promise<void> {
    const frame = readFrame(line);
    if (!frame)
      return send({
        id: "",
        error: { code: "invalid", message: "A frame is one JSON object with id, method and params." },
      });
    try {
      send({ id: frame.id, result: await dispatch(frame) });
    } catch (cause) {
      if (!(cause instanceof CallRefused)) deps.onTrouble(`${frame.method} failed.`, cause);
      const code = cause instanceof CallRefused ? cause.code : "failed";
      send({ id: frame.id, error: { code, message: cause instanceof Error ? cause.message : String(cause) } });
    }
  }

  async function dispatch(frame: RequestFrame): Promise<unknown> {
    if (frame.method === unfollowMethod) {
      unfollow();
      return {};
    }
    if (frame.method !== followMethod) return deps.gateway.call(owner, frame.method, frame.params);
    const params = FollowParams.safeParse(frame.params);
    if (!params.success) throw new CallRefused("invalid", `${followMethod} needs {"since": number}.`);
    follow(params.data.since);
    return {};
  }

  function follow(since: number): void {
    unfollow();
    unfollow = deps.gateway.follow(owner, since, {
      ...outlet,
      write: (followed) => send({ push: "seq" in followed ? "event" : "live", data: followed }),
      close: () => socket.destroy(),
    });
  }

  // a client that asks and does not read is not listened to until it has read
  function send(frame: ResponseFrame | PushFrame): void {
    outlet.send(`${JSON.stringify(frame)}\n`);
    if (!outlet.isFull() || socket.isPaused()) return;
    socket.pause();
    void outlet.drained().then(() => socket.resume());
  }
}

function readFrame(line: string): RequestFrame | undefined {
  try {
    return RequestFrame.parse(JSON.parse(line));
  } catch {
    // the caller answers that this is not a frame; a hostile line deserves no more words
    return undefined;
  }
}
