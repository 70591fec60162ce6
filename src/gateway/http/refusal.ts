import type { RefusalCode } from "../../contract/room/route.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { StorageFailure } from "../../store/database/storage-failure.ts";
import type { NotKnown } from "../access/access.ts";

/** An answer that says no: the status for programs, the sentence for people; never a stack, a path or a secret. */
export type Refusal = {
  status: number;
  code: RefusalCode;
  message: string;
  headers?: Readonly<Record<string, string>>;
};

export const notFound: Refusal = { status: 404, code: "not_found", message: "There is nothing at this address." };
export const foreignPage: Refusal = {
  status: 403,
  code: "forbidden",
  message: "Another site's page may not ask this.",
};

export function invalid(message: string, status = 400): Refusal {
  return { status, code: "invalid", message };
}

const cannotWrite =
  "The disk is full or cannot be written, so nothing was done. Make room on it and try again; the log has more.";
const statusOf = { invalid: 400, not_found: 404, conflict: 409, forbidden: 403, failed: 500 } as const;

/** What went wrong inside stays inside: only a refusal that was meant for the caller is passed on in its own words. */
export function refusalOf(cause: unknown): Refusal {
  if (cause instanceof CallRefused) return { status: statusOf[cause.code], code: cause.code, message: cause.message };
  if (cause instanceof StorageFailure) return { status: 500, code: "failed", message: cannotWrite };
  return { status: 500, code: "failed", message: "Something went wrong inside. The log has more." };
}

/** The answer to somebody who was not recognised. */
export function refusalOfStranger(stranger: NotKnown): Refusal {
  if (stranger.kind === "too many") {
    const seconds = Math.ceil(stranger.retryAfterMs / 1_000);
    const message = `Too many wrong tokens or codes came from this address. Try again in ${seconds} seconds.`;
    return { status: 429, code: "too_many", message, headers: { "Retry-After": String(seconds) } };
  }
  const message = stranger.kind === "refused" ? stranger.message : "A token or a session is needed here.";
  return { status: 401, code: "unauthorized", message, headers: { "WWW-Authenticate": "Bearer" } };
}
