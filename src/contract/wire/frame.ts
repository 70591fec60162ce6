import { z } from "zod";

/** What travels between a client and the gateway, one JSON text a frame. */
export const RequestFrame = z.strictObject({
  id: z.string().max(200),
  method: z.string().max(100),
  params: z.unknown().optional(),
});
export type RequestFrame = z.infer<typeof RequestFrame>;

export const ErrorCode = z.enum(["invalid", "not_found", "conflict", "forbidden", "failed"]);

export const ResponseFrame = z.union([
  z.strictObject({ id: z.string(), result: z.unknown() }),
  z.strictObject({ id: z.string(), error: z.strictObject({ code: ErrorCode, message: z.string() }) }),
]);
export type ResponseFrame = z.infer<typeof ResponseFrame>;

/** `event` carries an event of the log, `live` what happens right now. */
export const PushFrame = z.strictObject({ push: z.enum(["event", "live"]), data: z.unknown() });
export type PushFrame = z.infer<typeof PushFrame>;

/** Whatever a client hears. */
export const ServerFrame = z.union([PushFrame, ...ResponseFrame.options]);

export const followMethod = "events.follow";
export const unfollowMethod = "events.unfollow";
export const FollowParams = z.strictObject({ since: z.number().int().nonnegative() });
