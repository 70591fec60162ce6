// Methods as a room offers them: who may call each, what it takes and answers, and the function behind it.
import type { Caller } from "../wire/caller.ts";
import type { MethodGroup, MethodSchema, Served } from "../wire/methods/define-methods.ts";
import { loadOnce } from "./load-once.ts";

export type RoomMethod = MethodSchema & { serve(caller: Caller, params: never): Promise<unknown> };
export type RoomMethods = Readonly<Record<string, RoomMethod>>;

export function serveMethods<Group extends MethodGroup>(group: Group, served: Served<Group>): RoomMethods {
  return Object.fromEntries(
    Object.entries(group).map(([name, schema]) => [name, { ...schema, serve: served[name as keyof Group] }]),
  );
}

/** A group whose code is loaded with its first call: a Steward that nobody visits does not carry it. */
export function serveLazily<Group extends MethodGroup>(group: Group, load: () => Promise<Served<Group>>): RoomMethods {
  const loaded = loadOnce(load);
  return Object.fromEntries(
    Object.entries(group).map(([name, schema]) => [
      name,
      {
        ...schema,
        serve: async (caller: Caller, params: never) => (await loaded())[name as keyof Group](caller, params),
      },
    ]),
  );
}
