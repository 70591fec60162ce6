import type { Intent } from "./intent.ts";
import { arithmetic } from "./intents/arithmetic.ts";
import { clock } from "./intents/clock.ts";
import { commands } from "./intents/commands.ts";
import { memory } from "./intents/memory.ts";
import { readingFiles } from "./intents/reading-files.ts";
import { reminders } from "./intents/reminders.ts";
import { smallTalk } from "./intents/small-talk.ts";
import { web } from "./intents/web.ts";
import { writingFiles } from "./intents/writing-files.ts";

/** Everything that is understood; the first intent that takes a sentence has it. */
export const intents: readonly Intent[] = [
  ...smallTalk,
  ...clock,
  ...arithmetic,
  ...reminders,
  ...memory,
  ...web,
  ...commands,
  ...writingFiles,
  ...readingFiles,
];
