import type { Sender } from "../sender.ts";
import type { Scope } from "./access.ts";

/** Somebody who has been let in: as whom they speak and how far they may go. */
export type Caller = {
  sender: Sender;
  scope: Scope;
  /** For the scope `task`: the only conversation there is for this caller. */
  conversation?: string | undefined;
  /** The token that let them in; none for programs of the same user on the same machine. */
  tokenId?: string | undefined;
};

/** Whoever sits at this machine, as the user that Steward runs as. */
export const owner = { sender: { kind: "owner", id: "owner" }, scope: "owner" } as const satisfies Caller;
