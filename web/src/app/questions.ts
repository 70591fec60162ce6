import { openWatched, type Watched } from "../state/watched.ts";
import type { App } from "./app.ts";

type Question = Parameters<App["confirm"]>[0];

/** What is being asked before something that cannot be taken back; one at a time. */
export type Questions = {
  asked: Watched<Question | undefined>;
  confirm: App["confirm"];
  answer(yes: boolean): void;
};

export function openQuestions(): Questions {
  const asked = openWatched<Question | undefined>(undefined);
  let settle: (yes: boolean) => void = () => {};
  return {
    asked,
    confirm(question) {
      // a second question while one is open means the first was walked away from
      settle(false);
      return new Promise((resolve) => {
        settle = resolve;
        asked.set(question);
      });
    },
    answer(yes) {
      asked.set(undefined);
      settle(yes);
    },
  };
}
