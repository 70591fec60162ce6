// What the memory did, and what was done to it, as a line that a person reads out.
import type { Event } from "../../../../src/contract/event.ts";
import { count } from "../../../../src/contract/words/amounts.ts";
import { viewPath } from "../../memory/memory-view.ts";
import { type ActivityLine, assistant, whoIs } from "../activity-line.ts";

export type MemoryEvent = Extract<Event, { type: `memory.${string}` | `messages.${string}` | `note.${string}` }>;

export function describeMemoryEvent(event: MemoryEvent): ActivityLine {
  switch (event.type) {
    case "memory.recalled":
      return {
        ...{ icon: "memory", who: assistant, sentence: "looked up", tone: "quiet" },
        subject: {
          text: count(event.finds.length, "thing"),
          as: "words",
          href: viewPath({ view: "recalled", seq: event.seq }),
        },
      };
    case "messages.forgotten":
      return {
        ...{ icon: "trash", who: whoIs(event.by), tone: "warning" },
        sentence: `had ${count(event.seqs.length, "message")} forgotten for good`,
      };
    case "note.written": {
      const { path, group, before, after } = event;
      const deed = after === null ? "removed" : before === null ? "wrote" : "changed";
      const whose = group === undefined ? "a note:" : `a note of the group ${group}:`;
      return {
        ...{ icon: "memory", who: whoIs(event.by), sentence: `${deed} ${whose}`, tone: "quiet" },
        subject: { text: path, as: "code", href: viewPath({ view: "history", group, path }) },
      };
    }
    default:
      event satisfies never;
      return { icon: "memory", who: assistant, sentence: "noted something about the memory", tone: "quiet" };
  }
}
