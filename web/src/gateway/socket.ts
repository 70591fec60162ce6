export type SocketListener = { opened(): void; received(text: unknown): void; closed(code: number): void };
export type Socket = { send(text: string): void; close(): void };
/** Starts to connect; `closed` is told exactly once, also when it never opened. */
export type Connect = (listener: SocketListener) => Socket;

/** The address is the page's own origin and nothing else: an address in a link must not get what a person types. */
export function connectToOwnOrigin(listener: SocketListener): Socket {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/ws`);
  socket.onopen = () => listener.opened();
  socket.onmessage = (message) => listener.received(message.data);
  socket.onclose = (close) => listener.closed(close.code);
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
