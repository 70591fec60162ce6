import type { EventOf } from "../event.ts";

/**
 * Hands one reply to a channel's platform: resolves when the platform has taken it, throws when it has not, and is then
 * asked again later. A reply may come twice after a crash, so a platform that can tell should be given the reply's number.
 */
export type SendReply = (reply: EventOf<"reply.written">, signal: AbortSignal) => Promise<void>;
