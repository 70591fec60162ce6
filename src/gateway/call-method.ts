import { z } from "zod";
import type { Caller } from "../contract/caller.ts";
import { CallRefused } from "../contract/client.ts";
import { type MethodName, methods } from "../contract/method.ts";
import type { MethodSchema, Served } from "../contract/methods/define-methods.ts";

/** A Steward that runs for one command only leaves out what needs an open door. */
export type ServedMethods = Partial<Served<typeof methods>>;

/** Nothing happens before the caller's scope allows the method and its schema has read the parameters. */
export async function callMethod(
  served: ServedMethods,
  caller: Caller,
  name: string,
  rawParams: unknown,
): Promise<unknown> {
  if (!isMethod(name)) throw new CallRefused("not_found", `There is no method called ${name}.`);
  return run(name);

  async function run<Name extends MethodName>(known: Name): Promise<unknown> {
    const schema: MethodSchema = methods[known];
    if (caller.scope !== "owner" && !schema.scopes.includes(caller.scope))
      throw new CallRefused("forbidden", `${known} is not allowed for this token (${caller.scope}).`);
    const params = schema.params.safeParse(rawParams ?? {});
    if (!params.success) throw new CallRefused("invalid", `${known}: ${z.prettifyError(params.error)}`);
    if (caller.scope === "task" && known !== "health.check") requireOwnConversation(caller, params.data);
    const serve = served[known];
    if (!serve)
      throw new CallRefused(
        "not_found",
        `This needs a Steward that keeps running (${known}). Start one with: npm start`,
      );
    return serve(caller, params.data as never);
  }
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}

function requireOwnConversation(caller: Caller, params: unknown): void {
  const named = typeof params === "object" && params !== null && "sessionKey" in params ? params.sessionKey : undefined;
  if (named === undefined || named !== caller.conversation)
    throw new CallRefused("forbidden", `This token is for ${caller.conversation} and no other conversation.`);
}
