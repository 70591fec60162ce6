import { type Refusal, showUrl } from "./check-url.ts";
import type { FetchMethod, FetchRequest, TransportResponse } from "./fetch-outcome.ts";
import { headersForOtherOrigin, headersWithoutBody } from "./request-headers.ts";

/** What is asked at a hop; where it is asked is the checked URL beside it. */
export type Question = Pick<FetchRequest, "method" | "headers" | "body">;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** The unchecked place a response sends us to, if it does. */
export function redirectOf(response: TransportResponse): string | undefined {
  return redirectStatuses.has(response.status) ? response.headers.location : undefined;
}

/** The question for the next hop, without what another origin must not see. */
export function followRedirect(question: Question, hop: { status: number; from: URL; to: URL }): Question | Refusal {
  const isSameOrigin = hop.from.origin === hop.to.origin;
  const headers = isSameOrigin ? question.headers : headersForOtherOrigin(question.headers);
  if (becomesGet(question.method, hop.status))
    return { method: question.method === "HEAD" ? "HEAD" : "GET", headers: headersWithoutBody(headers) };
  if (question.body === undefined) return { method: question.method, headers };
  if (isSameOrigin) return question;
  const reason = `${hop.from.host} redirects to another origin, which must not get the body that was meant for it`;
  return { kind: "refused", rule: "redirect", reason, url: showUrl(hop.to) };
}

function becomesGet(method: FetchMethod, status: number): boolean {
  return status === 303 || ((status === 301 || status === 302) && method === "POST");
}
