// The gateway's half of the fake: sessions that can be resumed, heartbeats, and everything that may go wrong with a socket.
import type { Server } from "node:http";
import { type RawData, type WebSocket, WebSocketServer } from "ws";

export type GatewayFaults = {
  /** The socket is taken, and nothing is ever said. */
  sayNothing: boolean;
  /** Heartbeats are not acknowledged. */
  ignoreHeartbeats: boolean;
  /** What whoever signs in is sent away with, such as 4014. */
  closeOnIdentify: number | undefined;
  /** A session that is asked for is gone. */
  refuseResume: boolean;
};

export type FakeGateway = {
  faults: GatewayFaults;
  /** What clients have sent, by number: 1 heartbeat, 2 identify, 6 resume. */
  received: { op: number; d: unknown }[];
  /** How many sockets have been opened so far. */
  opened(): number;
  isConnected(): boolean;
  /** To whoever is connected, and kept for whoever comes back to an old session. */
  dispatch(type: string, content: unknown): void;
  /** Closes every socket: with a code, or without a word. Sessions stay. */
  dropSockets(code?: number): void;
  requestReconnect(): void;
  invalidateSession(): void;
  close(): void;
};

type Session = { id: string; log: { s: number; t: string; d: unknown }[]; socket: WebSocket | undefined };

export type GatewayOptions = { token: string; heartbeatMs: number; greeting(): Record<string, unknown> };

export function serveGateway(server: Server, url: () => string, options: GatewayOptions): FakeGateway {
  const sessions = new Map<string, Session>();
  const sockets = new Set<WebSocket>();
  const received: FakeGateway["received"] = [];
  let opened = 0;
  const faults: GatewayFaults = {
    sayNothing: false,
    ignoreHeartbeats: false,
    closeOnIdentify: undefined,
    refuseResume: false,
  };
  const webSockets = new WebSocketServer({ server });
  webSockets.on("connection", (socket) => {
    opened++;
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      for (const session of sessions.values()) if (session.socket === socket) session.socket = undefined;
    });
    // a client that goes away in the middle is one of the things that happen
    socket.on("error", () => undefined);
    socket.on("message", (raw) => hear(socket, raw));
    if (!faults.sayNothing) tell(socket, { op: 10, d: { heartbeat_interval: options.heartbeatMs } });
  });

  return {
    faults,
    received,
    opened: () => opened,
    isConnected: () => [...sessions.values()].some(({ socket }) => socket !== undefined),
    dispatch: (type, content) => {
      for (const session of sessions.values()) say(session, type, content);
    },
    dropSockets(code) {
      for (const socket of sockets) {
        if (code === undefined) socket.terminate();
        else socket.close(code);
      }
    },
    requestReconnect: () => {
      for (const socket of sockets) tell(socket, { op: 7, d: null });
    },
    invalidateSession() {
      sessions.clear();
      for (const socket of sockets) tell(socket, { op: 9, d: false });
    },
    close() {
      for (const socket of sockets) socket.terminate();
      webSockets.close();
    },
  };

  function hear(socket: WebSocket, raw: RawData): void {
    const frame = JSON.parse(String(raw)) as { op: number; d: Record<string, unknown> };
    received.push(frame);
    if (frame.op === 1 && !faults.ignoreHeartbeats) tell(socket, { op: 11 });
    if (frame.op === 2) identify(socket, frame.d);
    if (frame.op === 6) resume(socket, frame.d);
  }

  function identify(socket: WebSocket, { token }: Record<string, unknown>): void {
    if (faults.closeOnIdentify !== undefined) return void socket.close(faults.closeOnIdentify);
    if (token !== options.token) return void socket.close(4004);
    const session: Session = { id: `session-${sessions.size + 1}-${opened}`, log: [], socket };
    sessions.set(session.id, session);
    say(session, "READY", { v: 10, session_id: session.id, resume_gateway_url: url(), ...options.greeting() });
    say(session, "GUILD_CREATE", { id: "unlooked-for", name: "what the channel does not read" });
  }

  function resume(socket: WebSocket, { session_id, seq }: Record<string, unknown>): void {
    const session = sessions.get(String(session_id));
    if (!session || faults.refuseResume) return void tell(socket, { op: 9, d: false });
    session.socket = socket;
    for (const missed of session.log.filter(({ s }) => s > Number(seq))) tell(socket, { op: 0, ...missed });
    say(session, "RESUMED", {});
  }

  function say(session: Session, t: string, d: unknown): void {
    const told = { s: session.log.length + 1, t, d };
    session.log.push(told);
    if (session.socket) tell(session.socket, { op: 0, ...told });
  }
}

function tell(socket: WebSocket, frame: unknown): void {
  socket.send(JSON.stringify(frame));
}
