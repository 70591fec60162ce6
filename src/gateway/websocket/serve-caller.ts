// In: the frames of a client that has been let in. Out: answers, and what it wants to be told.
import type { WebSocket } from "ws";
import { CallRefused } from "../../contract/wire/client.ts";
import { FollowParams, followMethod, unfollowMethod } from "../../contract/wire/frame.ts";
import { findMethod } from "../call-method.ts";
import type { Gateway } from "../gateway.ts";
import { closeCode, closeSocket } from "./close-socket.ts";
import { type Asker, answerText, errorText, type RequestFrame, type RpcError, readFrame, rpcError } from "./frames.ts";
import type { Message } from "./let-in.ts";
import { type TellDeps, type ToldClient, tellLog } from "./tell-client.ts";

export type ServeCallerDeps = TellDeps & { gateway: Gateway; nowMs(): number };

export type Client = ToldClient & { webSocket: WebSocket };

const maxInFlight = 64;
const maxMalformed = 50;
const malformedWindowMs = 60_000;

export function serveCaller(deps: ServeCallerDeps, client: Client) {
  const { outlet, webSocket, caller } = client;
  let inFlight = 0;
  let malformed = { count: 0, sinceMs: deps.nowMs() };
  let isOver = false;
  let stopTelling = () => {};
  return {
    take,
    /** Calls under way finish without an answer, and nothing more is told. */
    end(): void {
      isOver = true;
      stopTelling();
    },
  };

  function take({ data, isBinary }: Message): void {
    if (isOver) return;
    const read = readFrame(data, isBinary);
    if (read.kind === "malformed") {
      refuse(read.asker, read.error);
      countMalformed();
    } else if (read.kind === "auth") {
      refuse({ id: null }, rpcError("notRequest", "conflict", "You are in already."));
    } else {
      const error = begin(read.frame);
      if (error) refuse(read.frame, error);
    }
  }

  /** Begins what is asked for, or says why not. */
  function begin(frame: RequestFrame): RpcError | undefined {
    if (frame.method === followMethod) return follow(frame);
    if (frame.method === unfollowMethod) {
      stopTelling();
      send(answerText(frame, {}));
      return undefined;
    }
    if (!findMethod(deps.gateway.methods(), frame.method)) return noMethod;
    if (inFlight >= maxInFlight) return tooMany;
    inFlight += 1;
    void call(frame).finally(() => {
      inFlight -= 1;
    });
    return undefined;
  }

  async function call(frame: RequestFrame): Promise<void> {
    try {
      // an answer that nobody reads yet would only be held here
      if (outlet.isFull()) await outlet.drained();
      if (isOver) return;
      send(answerText(frame, await deps.gateway.call(caller, frame.method, frame.params)));
    } catch (cause) {
      if (cause instanceof CallRefused) return refuse(frame, errorOf(cause));
      deps.onTrouble(`${frame.method} failed.`, cause);
      refuse(frame, broken);
    }
  }

  // the answer goes first, so that whatever comes behind it belongs to this wish
  function follow(frame: RequestFrame): RpcError | undefined {
    const params = FollowParams.safeParse(frame.params);
    if (!params.success) return badFollow;
    const { since } = params.data;
    if (since > deps.log.lastSeq()) return beyondTheEnd;
    stopTelling();
    send(answerText(frame, {}));
    stopTelling = tellLog(deps, client, since);
    return undefined;
  }

  function refuse(asker: Asker, error: RpcError): void {
    send(errorText(asker, error));
  }

  // a client that asks and does not read is not listened to until it has read
  function send(text: string): void {
    if (isOver) return;
    outlet.send(text);
    if (!outlet.isFull() || webSocket.isPaused) return;
    webSocket.pause();
    void outlet.drained().then(() => webSocket.resume());
  }

  function countMalformed(): void {
    const nowMs = deps.nowMs();
    if (nowMs - malformed.sinceMs > malformedWindowMs) malformed = { count: 0, sinceMs: nowMs };
    malformed.count += 1;
    if (malformed.count > maxMalformed) closeSocket(webSocket, closeCode.breaksRules, "too many malformed frames");
  }
}

function errorOf({ code: reason, message }: CallRefused): RpcError {
  if (reason === "invalid") return rpcError("badParams", reason, message);
  return rpcError(reason === "failed" ? "broken" : "refused", reason, message);
}

const noMethod = rpcError("noMethod", "not_found", "There is no such method.");
const tooMany = rpcError(
  "refused",
  "failed",
  `Too many calls at once: ${maxInFlight} of yours are under way. Wait for an answer and ask again.`,
);
const broken = rpcError("broken", "failed", "Something went wrong inside Steward. Its log has the details.");
const badFollow = rpcError(
  "badParams",
  "invalid",
  `${followMethod} needs {"since": number}, the number of the last event you have seen, or 0.`,
);
const highNumbers = "There are no events with such high numbers here. Begin again from 0.";
const beyondTheEnd = rpcError("refused", "conflict", highNumbers);
