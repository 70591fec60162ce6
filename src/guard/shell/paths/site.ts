import type { Refusals } from "../objections.ts";
import type { ShellPolicy } from "../policy.ts";

/** Where a command would run, and where objections go. */
export type Site = {
  command: string;
  /** Real path of its working folder. */
  folder: string;
  policy: ShellPolicy;
  refusals: Refusals;
};
