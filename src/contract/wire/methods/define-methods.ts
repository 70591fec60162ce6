import { z } from "zod";
import type { Scope } from "../access.ts";
import type { Caller } from "../caller.ts";

/** `scopes`: who may call it beside the owner; a method that names nobody is the owner's alone. */
export type MethodSchema = { scopes: readonly Exclude<Scope, "owner">[]; params: z.ZodType; result: z.ZodType };
export type MethodGroup = Readonly<Record<string, MethodSchema>>;

/** The functions that answer a group of methods: one a name, no more and no fewer. */
export type Served<Group extends MethodGroup> = {
  [Name in keyof Group]: (
    caller: Caller,
    params: z.output<Group[Name]["params"]>,
  ) => Promise<z.output<Group[Name]["result"]>>;
};

export const Empty = z.strictObject({});
export const Ok = z.object({ ok: z.boolean() });

export function defineMethods<const Group extends MethodGroup>(group: Group): Group {
  return group;
}
