// The methods of the notes, and of forgetting, for the page, the command line and programs alike.
import type { Caller } from "../../contract/wire/caller.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import type { memoryMethods } from "../../contract/wire/methods/memory.ts";
import type { noteMethods } from "../../contract/wire/methods/notes.ts";
import type { Forgetting } from "../memory.ts";
import type { Notes } from "./open-notes.ts";

export function serveNotes({
  notes,
  forgetting,
}: {
  notes: Notes;
  forgetting: Forgetting;
}): Served<typeof noteMethods> {
  return {
    "notes.list": async (_caller, whose) => ({ files: [...(await notes.list(whose))] }),
    "notes.read": (_caller, { path, version, ...whose }) => notes.read(whose, path, version),
    async "notes.write"(caller, { path, text, version, ...whose }) {
      requireOwner(caller, "write notes");
      return notes.write(whose, { path, text, version, by: caller.sender });
    },
    "notes.history": async (_caller, { path, ...whose }) => ({ changes: [...(await notes.history(whose, path))] }),
    async "memory.forget"(caller, { about, earlierVersions, lines, messages, ...whose }) {
      requireOwner(caller, "forget for good");
      const what = { about, earlierVersions, lines, messages };
      const { stayed, ...gone } = await forgetting.forget(whose, what, caller.sender);
      return { ...gone, stayed: [...stayed] };
    },
  };
}

export function serveMentions(forgetting: Forgetting): Pick<Served<typeof memoryMethods>, "memory.mentions"> {
  return {
    async "memory.mentions"(_caller, { about, ...whose }) {
      const { mentions, more, earlierVersions } = await forgetting.mentions(whose, about);
      return { mentions: [...mentions], more, earlierVersions: earlierVersions.length };
    },
  };
}

function requireOwner({ sender }: Caller, what: string): void {
  if (sender.kind !== "owner") throw new CallRefused("forbidden", `Only the owner may ${what}.`);
}
