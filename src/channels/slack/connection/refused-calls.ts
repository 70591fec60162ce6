import { isRefusal, isTokenGone, type SlackFailure } from "./slack-failure.ts";

/** What Slack refuses although it lets Steward in, because the app lacks something, until the same call is answered. */
export type RefusedCalls = {
  failed(method: string, failure: SlackFailure): void;
  answered(method: string): void;
  /** For a person: what is refused and what to do, each after a space; empty if nothing is. */
  words(): string;
};

const advice = "Add what is missing under “OAuth & Permissions” of your app at api.slack.com/apps, and reinstall it.";

export function openRefusedCalls(trouble: (message: string, cause: unknown) => void): RefusedCalls {
  const refused = new Map<string, string>();
  const told = new Set<string>();
  return {
    failed(method, failure) {
      // without a token it is not let in at all, which is told elsewhere
      if (!isRefusal(failure) || isTokenGone(failure)) return;
      refused.set(method, failure.message);
      if (told.has(failure.message)) return;
      told.add(failure.message);
      trouble(`${failure.message} ${advice}`, undefined);
    },
    answered: (method) => void refused.delete(method),
    words: () => (refused.size === 0 ? "" : ` ${[...refused.values()].join(" ")} ${advice}`),
  };
}
