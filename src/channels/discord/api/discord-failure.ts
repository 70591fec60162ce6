import { z } from "zod";
import { SendFailure } from "../../../contract/channel/outgoing-message.ts";
import { codeOf } from "../../../contract/failure.ts";

/**
 * A request that Discord did not grant. It holds nothing of what was thrown on the way: that may know the token and the
 * whole body.
 */
export class DiscordFailure extends SendFailure {
  readonly status: number | undefined;
  /** Discord's own number of what is wrong. */
  readonly code: number | undefined;
  constructor(message: string, how: ConstructorParameters<typeof SendFailure>[1] & Answer) {
    super(message, how);
    this.name = "DiscordFailure";
    this.status = how.status;
    this.code = how.code;
  }
}

type Answer = { status?: number | undefined; code?: number | undefined };

const Refusal = z.object({
  code: z.number().optional().catch(undefined),
  message: z.string().catch(""),
  /** What is wrong in which field. */
  errors: z.unknown().optional(),
});

// with these the request has not left the machine
const notSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]).add(
  "UND_ERR_CONNECT_TIMEOUT",
);

/** Of something thrown, in place of an answer. */
export function readFailure(cause: unknown): DiscordFailure {
  return cause instanceof DiscordFailure ? cause : readSilence(cause);
}

/** Discord takes no such request before this time is over. */
export function tooEarly(retryAfterMs: number): DiscordFailure {
  const how = { retry: "again", arrived: "no", status: 429, retryAfterMs } as const;
  return new DiscordFailure("Discord asks to wait (429).", how);
}

export function readRefusal({ status, body }: { status: number; body: unknown }): DiscordFailure {
  const { code, message, errors } = Refusal.safeParse(body).data ?? { code: undefined, message: "", errors: undefined };
  const number = code === undefined || code === 0 ? "" : ` (${code})`;
  const said = [message, errors === undefined ? "" : JSON.stringify(errors)].filter((part) => part !== "").join(" ");
  const words = `Discord answered ${status}${number}${status < 500 && said !== "" ? `: ${said.slice(0, 300)}` : "."}`;
  if (status >= 500 || status === 408) {
    return new DiscordFailure(words, { retry: "again", arrived: "maybe", status, code });
  }
  // without a number of Discord's it was something on the way that answered, such as a proxy; with 401 the token is mended
  const isFinal = number !== "" && status !== 401;
  return new DiscordFailure(words, { retry: isFinal ? "never" : "again", arrived: "no", status, code });
}

function readSilence(cause: unknown): DiscordFailure {
  const code = codeOf(cause) ?? (cause instanceof Error ? codeOf(cause.cause) : undefined);
  if (code !== undefined && notSent.has(code)) {
    return new DiscordFailure(`Discord cannot be reached (${code}).`, { retry: "again", arrived: "no" });
  }
  const isTimeout = cause instanceof Error && (cause.name === "AbortError" || cause.name === "TimeoutError");
  const words = isTimeout
    ? "Discord did not answer in time."
    : `The connection to Discord broke (${code ?? "no answer"}).`;
  return new DiscordFailure(words, { retry: "again", arrived: "maybe" });
}
