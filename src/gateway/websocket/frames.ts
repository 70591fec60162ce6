// The words of the socket: what a client may send, read by schema, and how it is answered.
import type { RawData } from "ws";
import { z } from "zod";
import type { Scope } from "../../contract/wire/access.ts";
import type { ErrorCode } from "../../contract/wire/frame.ts";

/** What else a client claims about itself, such as scopes, is not read. */
const AuthFrame = z.object({
  type: z.literal("auth"),
  token: z.string().min(1).max(1000).optional(),
  events: z.enum(["views", "none"]).default("views"),
});
export type AuthFrame = z.infer<typeof AuthFrame>;

const Id = z.union([z.string().max(200), z.int()]);
const RequestFrame = z.strictObject({
  jsonrpc: z.literal("2.0").optional(),
  id: Id,
  method: z.string().max(100),
  params: z.unknown().optional(),
});
export type RequestFrame = z.infer<typeof RequestFrame>;

/** A number of JSON-RPC; `refused` is ours: understood, and not done. */
const rpcCode = {
  notJson: -32700,
  notRequest: -32600,
  noMethod: -32601,
  badParams: -32602,
  broken: -32603,
  refused: -32000,
} as const;

export type RpcError = {
  code: (typeof rpcCode)[keyof typeof rpcCode];
  message: string;
  reason: z.infer<typeof ErrorCode>;
};

export function rpcError(code: keyof typeof rpcCode, reason: RpcError["reason"], message: string): RpcError {
  return { code: rpcCode[code], message, reason };
}

/** Whom an answer is for. */
export type Asker = Pick<RequestFrame, "jsonrpc"> & { id: RequestFrame["id"] | null };

export type ReadFrame =
  | { kind: "auth"; frame: AuthFrame }
  | { kind: "request"; frame: RequestFrame }
  | { kind: "malformed"; asker: Asker; error: RpcError };

const nobody: Asker = { id: null };

export function readFrame(data: RawData, isBinary: boolean): ReadFrame {
  if (isBinary) return malformed(nobody, "notRequest", "A frame is JSON text, not bytes.");
  let json: unknown;
  try {
    json = JSON.parse(data.toString());
  } catch {
    // what the parser says would repeat the client's own bytes to it
    return malformed(nobody, "notJson", "The frame is not JSON.");
  }
  const request = RequestFrame.safeParse(json);
  if (request.success) return { kind: "request", frame: request.data };
  const auth = AuthFrame.safeParse(json);
  if (auth.success) return { kind: "auth", frame: auth.data };
  return malformed(
    askerOf(json),
    "notRequest",
    'A frame is {"id": "…", "method": "…", "params": {…}} with an id of your own choice.',
  );
}

export function answerText({ jsonrpc, id }: Asker, result: unknown): string {
  return JSON.stringify({ ...(jsonrpc && { jsonrpc }), id, result: result ?? {} });
}

export function errorText({ jsonrpc, id }: Asker, { code, message, reason }: RpcError): string {
  return JSON.stringify({ ...(jsonrpc && { jsonrpc }), id, error: { code, message, data: { reason } } });
}

export function welcomeText(scope: Scope, sessionKey: string | undefined): string {
  return JSON.stringify({ type: "auth", ok: true, scope, ...(sessionKey !== undefined && { sessionKey }) });
}

export function turnedAwayText(message: string): string {
  return JSON.stringify({ type: "auth", ok: false, message });
}

function malformed(asker: Asker, code: "notJson" | "notRequest", message: string): ReadFrame {
  return { kind: "malformed", asker, error: rpcError(code, "invalid", message) };
}

/** As much of the question as can be made out, so that the client knows which one is meant. */
function askerOf(json: unknown): Asker {
  const read = z.object({ id: Id, jsonrpc: z.literal("2.0").optional().catch(undefined) }).safeParse(json);
  return read.success ? read.data : nobody;
}
