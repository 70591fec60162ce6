import { z } from "zod";
import { SendFailure } from "../../../contract/channel/outgoing-message.ts";
import { codeOf, reasonOf } from "../../../contract/failure.ts";

/** A call that Slack refused or did not answer. `word`: Slack's own word for it, or one of ours in capitals. */
export class SlackFailure extends SendFailure {
  readonly word: string;
  constructor(word: string, message: string, how: ConstructorParameters<typeof SendFailure>[1]) {
    super(message, how);
    this.word = word;
  }
}

/** The platform lets nobody in with this token until a person has done something; the message says what. */
export class Refusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Refusal";
  }
}

const tokenWords = new Set(
  `invalid_auth not_authed token_revoked token_expired not_allowed_token_type org_login_required ekm_access_denied
  user_removed_from_team team_disabled team_access_not_granted account_inactive`.split(/\s+/),
);
const refusalWords = new Set([...tokenWords, "missing_scope", "no_permission"]);
// a person must do something first, and then what waits is to go out
const refusedRetryMs = 300_000;
// Slack says of these that the call may have had an effect all the same
const unclearWords = new Set(["internal_error", "fatal_error", "service_unavailable", "request_timeout"]);
const limitWords = new Set(["ratelimited", "rate_limited", "accesslimited", "team_added_to_org"]);
const neverConnected = new Set(
  `ECONNREFUSED ENOTFOUND EAI_AGAIN ENETUNREACH EHOSTUNREACH UND_ERR_CONNECT_TIMEOUT CERT_HAS_EXPIRED
  DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE`.split(/\s+/),
);

// read by their codes, so that the library need not be loaded to know its errors
const LibraryError = z.discriminatedUnion("code", [
  z.object({ code: z.literal("slack_webapi_rate_limited_error"), retryAfter: z.number() }),
  z.object({ code: z.literal("slack_webapi_http_error"), statusCode: z.number() }),
  z.object({ code: z.literal("slack_webapi_request_error"), original: z.unknown().optional() }),
  z.object({
    code: z.literal("slack_webapi_platform_error"),
    data: z.object({
      error: z.string(),
      needed: z.string().optional(),
      response_metadata: z.object({ retryAfter: z.number().optional() }).optional(),
    }),
  }),
]);
type Refused = Extract<z.infer<typeof LibraryError>, { code: "slack_webapi_platform_error" }>["data"];

export function readFailure(method: string, cause: unknown): SlackFailure {
  if (cause instanceof SlackFailure) return cause;
  const known = LibraryError.safeParse(cause);
  if (!known.success) return unanswered(method, cause, cause);
  const error = known.data;
  switch (error.code) {
    case "slack_webapi_rate_limited_error": {
      const how = { retry: "again", arrived: "no", retryAfterMs: error.retryAfter * 1_000, cause } as const;
      return new SlackFailure("ratelimited", `Slack wants fewer calls of ${method}.`, how);
    }
    case "slack_webapi_http_error": {
      const { statusCode } = error;
      const arrived = statusCode >= 500 || statusCode === 408 ? "maybe" : "no";
      // Slack says what it refuses with status 200: anything else comes of what is on the way, and that what is too large stays so
      const how = { retry: statusCode === 413 ? "never" : "again", arrived, cause } as const;
      return new SlackFailure("HTTP", `Slack answered ${method} with status ${statusCode}.`, how);
    }
    case "slack_webapi_platform_error":
      return refused(method, error.data, cause);
    case "slack_webapi_request_error":
      return unanswered(method, error.original, cause);
    default:
      return error satisfies never;
  }
}

/** Whether this call, with which it signs in, can only succeed after a person has done something. */
export function isRefusal(failure: SlackFailure): boolean {
  return refusalWords.has(failure.word);
}

/** Whether a token that was good is not any more. */
export function isTokenGone(failure: SlackFailure): boolean {
  return tokenWords.has(failure.word);
}

function unanswered(method: string, original: unknown, cause: unknown): SlackFailure {
  const arrived = neverConnected.has(deepestCode(original) ?? "") ? "no" : "maybe";
  const message = `Slack did not answer ${method}: ${deepestReason(original)}.`;
  return new SlackFailure("NO_ANSWER", message, { retry: "again", arrived, cause });
}

function refused(method: string, { error: word, needed, response_metadata }: Refused, cause: unknown): SlackFailure {
  // a proxy's error page arrives as if it were Slack's word
  if (!/^[a-z0-9_]{1,60}$/.test(word)) {
    const how = { retry: "again", arrived: "maybe", cause } as const;
    return new SlackFailure("HTTP", `What answered ${method} was not Slack's Web API.`, how);
  }
  const message = `Slack refused ${method}: ${word}${needed ? ` (the app lacks the scope ${needed})` : ""}.`;
  if (unclearWords.has(word)) return new SlackFailure(word, message, { retry: "again", arrived: "maybe", cause });
  const seconds = response_metadata?.retryAfter;
  const isRefused = refusalWords.has(word);
  return new SlackFailure(word, message, {
    retry: limitWords.has(word) || isRefused ? "again" : "never",
    arrived: "no",
    retryAfterMs: isRefused ? refusedRetryMs : seconds === undefined ? undefined : seconds * 1_000,
    cause,
  });
}

// fetch says "fetch failed" and keeps what happened in its cause
function deepestCode(cause: unknown): string | undefined {
  const deeper = cause instanceof Error && cause.cause ? deepestCode(cause.cause) : undefined;
  return deeper ?? codeOf(cause);
}

function deepestReason(cause: unknown): string {
  return cause instanceof Error && cause.cause ? deepestReason(cause.cause) : reasonOf(cause);
}
