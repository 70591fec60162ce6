import type { SignedIn } from "../gateway/sign-in.ts";
import type { Watched } from "../state/watched.ts";
import type { Address } from "./address.ts";
import type { App } from "./app.ts";
import type { Questions } from "./questions.ts";
import type { Toasts } from "./toasts/toasts.ts";

/** Everything the window itself needs beside what its pages get. */
export type Frame = {
  app: App;
  address: Address;
  toasts: Toasts;
  questions: Questions;
  /** Why the code in the address did not let this browser in. */
  signInProblem: Watched<string | undefined>;
  signIn(code: string): Promise<SignedIn>;
  signOut(): Promise<SignedIn>;
};
