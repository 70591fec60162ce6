// What we ask when a wish lacks something. The next message answers it, and is recognised by the words of the question.

export const questions = {
  when: /^When\?/,
  what: /^What shall I remind you of\?/,
  both: /^What should I remind you of, and when\?/,
  length: /^For how long\?/,
  alarm: /^At what time\?/,
  slip: /^Did you mean "([^"]+)" where you wrote "([^"]+)"\?/,
} as const;

export const askWhen = "When? Say for example “tomorrow at 5pm” or “in 20 minutes”.";
export const askBoth = "What should I remind you of, and when? Say “remind me tomorrow at six to call mum”.";
export const askLength = "For how long? Say “set a timer for 10 minutes”.";
export const askAlarm = "At what time? Say “wake me tomorrow at 7”.";
