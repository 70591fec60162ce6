import type { Socket } from "node:net";
import { addressGroup } from "../access/address-group.ts";
import type { RequestLimits } from "./request-limits.ts";

/** Counts who is connected: those we do not know yet are few at a time, and more of them wait in line. */
export type Connections = {
  admit(socket: Socket): void;
  /** Somebody we know came in by this connection: it no longer counts against the strangers of its address. */
  recognise(socket: Socket): void;
  /** The connection has become something else, and whoever has it now looks after it. */
  handOver(socket: Socket): void;
  close(graceMs: number): Promise<void>;
};

type Connection = {
  socket: Socket;
  group: string;
  state: "waiting" | "unknown" | "known" | "handed over";
  waitTimer?: NodeJS.Timeout;
  /** Bytes that had left us when it was last looked at, and since when no more have. */
  left: number;
  stuckSinceMs: number | undefined;
};

export function openConnections(deps: {
  limits: RequestLimits;
  /** Behind a proxy stand many people. */
  isShared(address: string | undefined): boolean;
  serve(socket: Socket): void;
  nowMs(): number;
}): Connections {
  const { limits } = deps;
  const all = new Map<Socket, Connection>();
  const strangers = new Map<string, number>();
  let unknown = 0;
  let waiting = 0;
  let sweep: NodeJS.Timeout | undefined;

  return {
    admit(socket) {
      // a connection that breaks is closed by Node, and that is all there is to do about it
      socket.on("error", () => undefined);
      if (all.size >= limits.maxConnections) return void socket.destroy();
      const group = deps.isShared(socket.remoteAddress) ? "" : addressGroup(socket.remoteAddress ?? "");
      const connection: Connection = { socket, group, state: "waiting", left: 0, stuckSinceMs: undefined };
      if (!hasRoom(group) && waiting >= limits.maxWaiting) return void socket.destroy();
      all.set(socket, connection);
      socket.once("close", () => forget(connection));
      sweep ??= setInterval(cutOffUnread, limits.checkEveryMs).unref();
      if (hasRoom(group)) return enter(connection);
      waiting += 1;
      connection.waitTimer = setTimeout(() => socket.destroy(), limits.waitMs).unref();
    },
    recognise: (socket) => leaveStrangers(socket, "known"),
    handOver: (socket) => leaveStrangers(socket, "handed over"),
    async close(graceMs) {
      for (const { socket } of all.values()) socket.end();
      const deadline = setTimeout(() => destroyAll(), graceMs);
      await Promise.all([...all.keys()].map(closed));
      clearTimeout(deadline);
      clearInterval(sweep);
    },
  };

  function hasRoom(group: string): boolean {
    return unknown < limits.maxUnknown && (group === "" || (strangers.get(group) ?? 0) < limits.maxUnknownPerAddress);
  }

  function enter(connection: Connection): void {
    connection.state = "unknown";
    unknown += 1;
    strangers.set(connection.group, (strangers.get(connection.group) ?? 0) + 1);
    deps.serve(connection.socket);
  }

  function leaveStrangers(socket: Socket, state: "known" | "handed over"): void {
    const connection = all.get(socket);
    if (!connection) return;
    const was = connection.state;
    connection.state = state;
    if (was === "unknown") releasePlace(connection.group);
  }

  function forget(connection: Connection): void {
    all.delete(connection.socket);
    clearTimeout(connection.waitTimer);
    if (connection.state === "waiting" && connection.waitTimer) waiting -= 1;
    if (connection.state === "unknown") releasePlace(connection.group);
    if (all.size > 0) return;
    clearInterval(sweep);
    sweep = undefined;
  }

  function releasePlace(group: string): void {
    unknown -= 1;
    const others = (strangers.get(group) ?? 1) - 1;
    if (others === 0) strangers.delete(group);
    else strangers.set(group, others);
    if (waiting > 0) letNextIn();
  }

  function letNextIn(): void {
    for (const connection of all.values()) {
      if (connection.state !== "waiting" || !hasRoom(connection.group)) continue;
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

  function destroyAll(): void {
    for (const socket of all.keys()) socket.destroy();
  }
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}
