import type { WebSocket } from "ws";

/** Why a socket is closed, as the client sees it. Numbers from 4000 on are ours and end like those of HTTP. */
export const closeCode = {
  breaksRules: 1008,
  tooLarge: 1009,
  broken: 1011,
  restart: 1012,
  notLetIn: 4401,
  tooMany: 4429,
} as const;

const patienceMs = 2_000;

/** Says goodbye, and hangs up on a client that does not answer it. */
export function closeSocket(webSocket: WebSocket, code: (typeof closeCode)[keyof typeof closeCode], why: string): void {
  webSocket.close(code, why);
  const hangUp = setTimeout(() => webSocket.terminate(), patienceMs);
  webSocket.once("close", () => clearTimeout(hangUp));
}
