// What went wrong with a call, without the address it went to: that holds the token. What grammY throws goes no further than here.
import { z } from "zod";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";

export type Fault =
  | { kind: "answered"; status: number; words: string; retryAfterMs?: number; movedTo?: string }
  /** arrived: whether the request may have reached Telegram all the same. */
  | { kind: "unanswered"; arrived: "no" | "maybe"; words: string };

const Refusal = z.object({
  error_code: z.number(),
  description: z.string(),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.union([z.number(), z.string()]).optional() })
    .optional()
    .catch(undefined),
});
const Unanswered = z.object({ error: z.object({ message: z.string(), code: z.string().optional().catch(undefined) }) });

// these say that no connection came about, so that nothing was handed over
const beforeSending = new Set(
  "ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL EACCES EPERM".split(" "),
);

export function readFault(cause: unknown): Fault {
  const refusal = Refusal.safeParse(cause);
  if (refusal.success) {
    const { error_code: status, description, parameters } = refusal.data;
    return {
      kind: "answered",
      status,
      words: `Telegram says: ${description.slice(0, 300)}`,
      ...(parameters?.retry_after === undefined ? {} : { retryAfterMs: parameters.retry_after * 1000 }),
      ...(parameters?.migrate_to_chat_id === undefined ? {} : { movedTo: String(parameters.migrate_to_chat_id) }),
    };
  }
  const unanswered = Unanswered.safeParse(cause);
  if (!unanswered.success)
    return { kind: "unanswered", arrived: "maybe", words: "Telegram's answer could not be read." };
  return readSilence(unanswered.data.error);
}

export function sendFailureOf(cause: unknown): SendFailure {
  if (cause instanceof SendFailure) return cause;
  const fault = readFault(cause);
  if (fault.kind === "unanswered") return new SendFailure(fault.words, { retry: "again", arrived: fault.arrived });
  const { status, words, retryAfterMs } = fault;
  if (status === 429) return new SendFailure(words, { retry: "again", arrived: "no", retryAfterMs });
  if (status >= 500) return new SendFailure(words, { retry: "again", arrived: "maybe" });
  // a wrong token is mended by its owner, and then the message goes out
  if (status === 401 || status === 404) return new SendFailure(words, { retry: "again", arrived: "no" });
  return new SendFailure(words, { retry: "never", arrived: "no" });
}

/** Refused with status 400 for a reason that its description names. */
export function isRefusedAs(cause: unknown, reason: RegExp): boolean {
  const fault = readFault(cause);
  return fault.kind === "answered" && fault.status === 400 && reason.test(fault.words);
}

function readSilence({ message, code }: { message: string; code?: string | undefined }): Fault {
  if (/timed out|aborted/i.test(message))
    return { kind: "unanswered", arrived: "maybe", words: "Telegram did not answer in time." };
  const isEarly = beforeSending.has(code ?? "") || /reason: connect |CERT|SELF_SIGNED/.test(`${message} ${code ?? ""}`);
  const words =
    code === undefined
      ? "Telegram's answer could not be read."
      : `Telegram could not be reached or broke off (${code}).`;
  return { kind: "unanswered", arrived: isEarly ? "no" : "maybe", words };
}
