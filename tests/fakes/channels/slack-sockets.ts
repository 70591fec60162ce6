// Socket mode as Slack does it: an envelope goes over one of the open sockets and comes again until it is acknowledged; what
// happens while no socket is open is never sent.
import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";

type Envelope = { envelope_id: string; type: string; payload: Record<string, unknown> };

export type SlackSockets = ReturnType<typeof openSlackSockets>;

export function openSlackSockets(server: Server) {
  const accepting = new WebSocketServer({ server, path: "/link" });
  const open: WebSocket[] = [];
  const muted = new WeakSet<WebSocket>();
  const waiting = new Map<string, Envelope>();
  const acknowledged: string[] = [];
  const sent: Envelope[] = [];
  let count = 0;
  let lost = 0;
  let held: Envelope[] | undefined;
  const faults = {
    /** New sockets are accepted and nothing is ever said over them: no hello, no pings, no pongs. */
    isMute: false,
    /** Everything is sent twice. */
    twice: false,
    /** What is acknowledged does not get to Slack. */
    losesAcknowledgements: false,
  };
  const pinging = setInterval(() => {
    for (const socket of open) if (!muted.has(socket)) socket.ping();
  }, 50);
  let connections = 0;

  accepting.on("connection", (socket) => {
    connections += 1;
    // what a peer that is cut off says last is of no interest
    socket.on("error", () => undefined);
    open.push(socket);
    socket.on("close", () => open.splice(open.indexOf(socket), 1));
    socket.on("message", (data) => {
      const { envelope_id: id } = JSON.parse(String(data));
      if (faults.losesAcknowledgements) return void lost++;
      acknowledged.push(id);
      waiting.delete(id);
    });
    if (faults.isMute) {
      muteOne(socket);
      return;
    }
    socket.send(JSON.stringify({ type: "hello", num_connections: open.length, connection_info: { app_id: "A1" } }));
    for (const envelope of waiting.values()) send(envelope);
  });

  return {
    faults,
    /** The ids of envelopes, in the order in which they were acknowledged. */
    acknowledged,
    /** Every envelope each time it went out. */
    sent,
    connections: () => connections,
    openCount: () => open.length,
    unacknowledged: () => waiting.size,
    lostAcknowledgements: () => lost,
    event(event: Readonly<Record<string, unknown>>): void {
      add("events_api", { type: "event_callback", team_id: "T1", event_id: `Ev${count}`, event });
    },
    interactive: (payload: Record<string, unknown>) => add("interactive", payload),
    envelope: add,
    /** As Slack does when it gets no acknowledgement within seconds. */
    redeliver(): void {
      for (const envelope of waiting.values()) send(envelope);
    },
    /** Until `let go`, what comes is kept back; then it goes out the other way round. */
    turnAround(): () => void {
      held = [];
      return () => {
        const late = held ?? [];
        held = undefined;
        for (const envelope of late.reverse()) send(envelope);
      };
    },
    drop(): void {
      for (const socket of [...open]) socket.terminate();
    },
    disconnect(reason = "refresh_requested"): void {
      for (const socket of open)
        socket.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "applink" } }));
    },
    /** From now on nothing comes over the sockets that are open, which stay open; new ones work. */
    mute(): void {
      for (const socket of open) muteOne(socket);
    },
    close(): void {
      clearInterval(pinging);
      for (const socket of [...open]) socket.terminate();
      accepting.close();
    },
  };

  function muteOne(socket: WebSocket): void {
    muted.add(socket);
    socket.pause();
  }

  function add(type: string, payload: Record<string, unknown>): void {
    if (open.length === 0) return;
    const envelope = { envelope_id: `envelope-${++count}`, type, payload };
    waiting.set(envelope.envelope_id, envelope);
    if (held) held.push(envelope);
    else send(envelope);
  }

  // over the oldest one: a client that has closed it too early loses nothing, since it comes again over the next
  function send(envelope: Envelope): void {
    const socket = open.find((each) => !muted.has(each));
    for (let times = faults.twice ? 2 : 1; times > 0; times -= 1) {
      sent.push(envelope);
      socket?.send(JSON.stringify({ ...envelope, accepts_response_payload: false }));
    }
  }
}
