import type { Guard } from "./judgement.ts";

type Note = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/** The same guard; each verdict is told with its reason. */
export function noteVerdicts(note: Note, guard: Guard): Guard {
  return {
    ...guard,
    async decide(call) {
      const decision = await guard.decide(call);
      note("guard decided", { tool: call.tool.name, asker: call.asker.kind, labels: call.labels, ...decision });
      return decision;
    },
  };
}
