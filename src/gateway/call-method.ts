import { z } from "zod";
import type { RoomMethod, RoomMethods } from "../contract/room/room-methods.ts";
import type { Caller } from "../contract/wire/caller.ts";
import { CallRefused } from "../contract/wire/client.ts";
import { methods as knownMethods } from "../contract/wire/method.ts";

/** Nothing happens before the caller's scope allows the method and its schema has read the parameters. */
export async function callMethod(
  methods: RoomMethods,
  caller: Caller,
  name: string,
  rawParams: unknown,
): Promise<unknown> {
  const method = findMethod(methods, name);
  if (!method) throw new CallRefused("not_found", `There is no method called ${name}.`);
  if (caller.scope !== "owner" && !method.scopes.includes(caller.scope))
    throw new CallRefused("forbidden", `${name} is not allowed for this token (${caller.scope}).`);
  const params = method.params.safeParse(rawParams ?? {});
  if (!params.success) throw new CallRefused("invalid", `${name}: ${z.prettifyError(params.error)}`);
  if (caller.scope === "task" && name !== "health.check") requireOwnConversation(caller, params.data);
  return method.serve(caller, params.data as never);
}

/** A Steward that runs for one command only leaves out what others would come in for, and says so when it is asked. */
export function findMethod(methods: RoomMethods, name: string): RoomMethod | undefined {
  if (Object.hasOwn(methods, name)) return methods[name];
  if (!Object.hasOwn(knownMethods, name)) return undefined;
  return {
    ...knownMethods[name as keyof typeof knownMethods],
    serve: async () => {
      throw new CallRefused("not_found", `This needs a Steward that keeps running. Start one with: steward daemon`);
    },
  };
}

function requireOwnConversation(caller: Caller, params: unknown): void {
  const named = typeof params === "object" && params !== null && "sessionKey" in params ? params.sessionKey : undefined;
  if (named === undefined || named !== caller.conversation)
    throw new CallRefused("forbidden", `This token is for ${caller.conversation} and no other conversation.`);
}
