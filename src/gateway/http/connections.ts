import type { Socket } from "node:net";
import { addressGroup } from "../access/address-group.ts";
import { openUnidentifiedLimit } from "../access/unidentified-limit.ts";
import type { RequestLimits } from "./request-limits.ts";

type Connection = {
  socket: Socket;
  from: string | undefined;
  state: "waiting" | "unknown" | "known" | "handed over";
  leave(): void;
  waitTimer?: NodeJS.Timeout;
  /** Bytes that had left us when it was last looked at, and since when no more have. */
  left: number;
  stuckSinceMs: number | undefined;
};

/** Counts who is connected: those we do not know yet are few at a time, and more of them wait in line. */
export function openConnections(deps: {
  limits: RequestLimits;
  /** Behind a proxy stand many people. */
  isShared(address: string | undefined): boolean;
  serve(socket: Socket): void;
  nowMs(): number;
}) {
  const { limits } = deps;
  const all = new Map<Socket, Connection>();
  const unidentified = openUnidentifiedLimit({
    overall: limits.maxUnknown,
    fromOnePlace: limits.maxUnknownPerAddress,
  });
  let waiting = 0;
  let sweep: NodeJS.Timeout | undefined;

  return {
    admit(socket: Socket) {
      // a connection that breaks is closed by Node, and that is all there is to do about it
      socket.on("error", () => undefined);
      if (all.size >= limits.maxConnections) return void socket.destroy();
      const from = deps.isShared(socket.remoteAddress) ? undefined : addressGroup(socket.remoteAddress ?? "");
      const hasRoom = unidentified.hasRoom(from);
      if (!hasRoom && waiting >= limits.maxWaiting) return void socket.destroy();
      const unsent = { left: 0, stuckSinceMs: undefined };
      const connection: Connection = { socket, from, state: "waiting", leave: () => {}, ...unsent };
      all.set(socket, connection);
      socket.once("close", () => forget(connection));
      sweep ??= setInterval(cutOffUnread, limits.checkEveryMs).unref();
      if (hasRoom) return enter(connection);
      waiting += 1;
      connection.waitTimer = setTimeout(() => socket.destroy(), limits.waitMs).unref();
    },
    /** Somebody we know came in by this connection: it no longer counts against the strangers of its address. */
    recognise: (socket: Socket) => leaveStrangers(socket, "known"),
    /** The connection has become something else, and whoever has it now looks after it. */
    handOver: (socket: Socket) => leaveStrangers(socket, "handed over"),
    async close(graceMs: number): Promise<void> {
      for (const { socket } of all.values()) socket.end();
      const deadline = setTimeout(() => {
        for (const socket of all.keys()) socket.destroy();
      }, graceMs);
      await Promise.all([...all.keys()].map((socket) => new Promise((resolve) => socket.once("close", resolve))));
      clearTimeout(deadline);
      clearInterval(sweep);
    },
  };

  function enter(connection: Connection): void {
    connection.state = "unknown";
    connection.leave = unidentified.enter(connection.from);
    deps.serve(connection.socket);
  }

  function leaveStrangers(socket: Socket, state: "known" | "handed over"): void {
    const connection = all.get(socket);
    if (!connection) return;
    const was = connection.state;
    connection.state = state;
    if (was === "unknown") makeRoom(connection);
  }

  function forget(connection: Connection): void {
    all.delete(connection.socket);
    clearTimeout(connection.waitTimer);
    if (connection.state === "waiting" && connection.waitTimer) waiting -= 1;
    if (connection.state === "unknown") makeRoom(connection);
    if (all.size > 0) return;
    clearInterval(sweep);
    sweep = undefined;
  }

  function makeRoom(leaving: Connection): void {
    leaving.leave();
    if (waiting === 0) return;
    for (const connection of all.values()) {
      if (connection.state !== "waiting" || !unidentified.hasRoom(connection.from)) continue;
      clearTimeout(connection.waitTimer);
      waiting -= 1;
      enter(connection);
      return;
    }
  }

  // looked at from the outside, because a client that sends while it does not read keeps every idle timer fresh
  function cutOffUnread(): void {
    const nowMs = deps.nowMs();
    for (const connection of all.values()) {
      const { socket, state } = connection;
      const left = socket.bytesWritten - socket.writableLength;
      if (state === "handed over" || socket.writableLength === 0) connection.stuckSinceMs = undefined;
      else if (left !== connection.left || connection.stuckSinceMs === undefined) connection.stuckSinceMs = nowMs;
      else if (nowMs - (connection.stuckSinceMs ?? nowMs) >= limits.unreadMs) socket.destroy();
      connection.left = left;
    }
  }
}
