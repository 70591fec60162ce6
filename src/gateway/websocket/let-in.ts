// In: a client that has said nothing yet. Out: who it is by the server's own records, or a closed socket.
import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { Caller } from "../../contract/wire/caller.ts";
import type { Access } from "../access/access.ts";
import { refusalOfStranger } from "../http/refusal.ts";
import { closeCode, closeSocket } from "./close-socket.ts";
import { type AuthFrame, answerText, errorText, readFrame, rpcError, turnedAwayText } from "./frames.ts";

export type Message = { data: RawData; isBinary: boolean };

export type UnidentifiedClient = {
  webSocket: WebSocket;
  socket: Duplex;
  headers: IncomingHttpHeaders;
  from: string;
  /** Bytes that came together with the request. */
  headBytes: number;
};

export type Admitted = {
  caller: Caller;
  events: AuthFrame["events"];
  /** What the client sent behind its first frame without waiting. */
  early: readonly Message[];
};

export type LetInDeps = {
  access: Pick<Access, "identify" | "checkToken">;
  /** What anybody may know. */
  health(): { status: "ok"; uptime: number };
  onTrouble(message: string, cause: unknown): void;
  authWithinMs?: number;
};

const maxBytes = 64 * 1024;

export function letIn(deps: LetInDeps, client: UnidentifiedClient, onAdmitted: (admitted: Admitted) => void): void {
  const { webSocket, socket, from } = client;
  const early: Message[] = [];
  let isChecking = false;
  let bytes = client.headBytes;
  const outOfTime = setTimeout(
    () => turnAway("The first frame, which says who you are, did not come in time."),
    deps.authWithinMs ?? 10_000,
  );
  webSocket.on("message", take);
  socket.on("data", count);
  webSocket.once("close", stopListening);

  function take(data: RawData, isBinary: boolean): void {
    if (isChecking) {
      early.push({ data, isBinary });
      return;
    }
    const read = readFrame(data, isBinary);
    if (read.kind === "auth") {
      isChecking = true;
      check(read.frame).catch((cause) => {
        deps.onTrouble("A client could not be checked.", cause);
        turnAway("Something went wrong inside Steward. Try again.");
      });
    } else if (read.kind === "request" && read.frame.method === "health.check") {
      webSocket.send(answerText(read.frame, deps.health()));
    } else {
      if (read.kind === "request") webSocket.send(errorText(read.frame, notYet));
      turnAway('The first frame must be {"type": "auth", "token": "…"}.');
    }
  }

  async function check({ token, events }: AuthFrame): Promise<void> {
    const { access } = deps;
    const userAgent = client.headers["user-agent"];
    const found = await (token === undefined
      ? access.identify(client, from)
      : access.checkToken(token, { from, userAgent }));
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (found.kind !== "known")
      return turnAway(
        refusalOfStranger(found).message,
        found.kind === "too many" ? closeCode.tooMany : closeCode.notLetIn,
      );
    stopListening();
    onAdmitted({ caller: found.caller, events, early });
  }

  // the frame limit of the socket is for those who are known; a stranger's bytes are counted one by one
  function count(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes <= maxBytes) return;
    stopListening();
    webSocket.pause();
    closeSocket(webSocket, closeCode.tooLarge, "too much before the first frame");
  }

  function turnAway(message: string, code: 4401 | 4429 = closeCode.notLetIn): void {
    stopListening();
    webSocket.send(turnedAwayText(message));
    closeSocket(webSocket, code, "not let in");
  }

  function stopListening(): void {
    clearTimeout(outOfTime);
    webSocket.off("message", take);
    socket.off("data", count);
  }
}

const notYet = rpcError("refused", "forbidden", "Say who you are first.");
