import type { Intent } from "../intent.ts";
import { correcting } from "./memory/correcting.ts";
import { forgetting } from "./memory/forgetting.ts";
import { remembering, stating } from "./memory/remembering.ts";
import { takingBack } from "./memory/taking-back.ts";

/** Everything that changes what is noted. */
export const memory: readonly Intent[] = [...takingBack, ...correcting, ...remembering, ...forgetting, ...stating];
