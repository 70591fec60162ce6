import type { Caller } from "../../contract/caller.ts";
import type { MethodGroup, Served } from "../../contract/methods/define-methods.ts";

/** A group whose code is loaded with its first call: a Steward that nobody visits does not carry it. */
export function serveLazily<Group extends MethodGroup>(
  group: Group,
  load: () => Promise<Served<Group>>,
): Served<Group> {
  let loading: Promise<Served<Group>> | undefined;
  const served = Object.keys(group).map((name) => [
    name,
    async (caller: Caller, params: never) => {
      loading ??= load();
      const methods = await loading.catch((cause) => {
        // the next call may try again
        loading = undefined;
        throw cause;
      });
      return methods[name as keyof Group](caller, params);
    },
  ]);
  return Object.fromEntries(served) as Served<Group>;
}
