import { type Refusal, showUrl } from "./check-url.ts";
import type { FetchRequest, TransportResponse } from "./fetch-outcome.ts";

/** What is asked at a hop; where it is asked is the checked URL beside it. */
export type Question = Pick<FetchRequest, "method" | "headers" | "body">;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
// what another origin may see; any other header could be a credential
const harmless = new Set(["accept", "accept-language", "cache-control", "user-agent"]);
const describesBody = new Set(["content-type", "content-language", "content-disposition"]);

/** The unchecked place a response sends us to, if it does. */
export function redirectOf(response: TransportResponse): string | undefined {
  return redirectStatuses.has(response.status) ? response.headers.location : undefined;
}

/** The question for the next hop, without what another origin must not see. */
export function followRedirect(question: Question, hop: { status: number; from: URL; to: URL }): Question | Refusal {
  const { method, body } = question;
  const isSameOrigin = hop.from.origin === hop.to.origin;
  const becomesGet = hop.status === 303 || ((hop.status === 301 || hop.status === 302) && method === "POST");
  const kept = Object.entries(question.headers).filter(
    ([name]) => (isSameOrigin || harmless.has(name)) && !(becomesGet && describesBody.has(name)),
  );
  const headers = Object.fromEntries(kept);
  if (becomesGet) return { method: method === "HEAD" ? "HEAD" : "GET", headers };
  if (body === undefined) return { method, headers };
  if (isSameOrigin) return question;
  const reason = `${hop.from.host} redirects to another origin, which must not get the body that was meant for it`;
  return { kind: "refused", rule: "redirect", reason, url: showUrl(hop.to) };
}
