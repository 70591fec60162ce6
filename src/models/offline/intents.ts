import { arithmetic } from "./arithmetic.ts";
import { clock } from "./clock.ts";
import { commands } from "./commands.ts";
import type { Intent } from "./intent.ts";
import { memory } from "./memory.ts";
import { readingFiles } from "./reading-files.ts";
import { reminders } from "./reminders.ts";
import { smallTalk } from "./small-talk.ts";
import { web } from "./web.ts";
import { writingFiles } from "./writing-files.ts";

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
