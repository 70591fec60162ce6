// What a turn says, as a text that only grows: a stream cannot take back what it has sent.
import type { Followed } from "../../../contract/wire/client.ts";

export function openGrowingText() {
  let anythingSaid = false;
  let step = -1;
  // of the step under way: what has been said, and what the present attempt at it has brought
  let said = "";
  let heard = "";

  return {
    /** What is to be said now that this has happened; often nothing. */
    take(followed: Followed): string {
      switch (followed.type) {
        case "live.text":
          begin(followed.step);
          heard += followed.delta;
          return goOn();
        case "live.text_reset":
          begin(followed.step);
          heard = "";
          return "";
        case "step.finished":
          begin(followed.step);
          heard = followed.text;
          return goOn();
        case "reply.written":
          heard = followed.text;
          return goOn();
        default:
          return "";
      }
    },
  };

  function begin(number: number): void {
    if (number === step) return;
    step = number;
    said = "";
    heard = "";
  }

  function goOn(): string {
    // a new attempt that has not come as far as the one before
    if (said.startsWith(heard)) return "";
    const fresh = heard.startsWith(said) ? heard.slice(said.length) : heard;
    const opens = fresh === heard && anythingSaid;
    said = heard;
    anythingSaid = true;
    return opens ? `\n\n${fresh}` : fresh;
  }
}
