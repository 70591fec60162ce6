import type { Intent } from "../intent.ts";
import { correcting } from "./memory/correcting.ts";
import { forgetting } from "./memory/forgetting.ts";
import { givingBack } from "./memory/giving-back.ts";
import { remembering } from "./memory/remembering.ts";
import { stating } from "./memory/stating.ts";
import { takingBack } from "./memory/taking-back.ts";

/** Everything that changes what is noted. */
export const memory: readonly Intent[] = [
  ...takingBack,
  ...givingBack,
  ...correcting,
  ...remembering,
  ...forgetting,
  ...stating,
];
