import type { AgentBackend } from "./agent-backend.ts";
import type { Places } from "./places.ts";
import { runSegment } from "./run-segment.ts";
import type { TurnDeps } from "./turn-deps.ts";

/** Tools may come and go between segments: commands are there only while the sandbox holds. */
export type LoopDeps = Omit<TurnDeps, "tools" | "workspace" | "extraDirs" | "guard" | "group"> & {
  tools(): Promise<TurnDeps["tools"]>;
  places: Pick<Places, "of">;
};

/** Steward's own loop: model, tools, model, with a checkpoint after each step. */
export function agentLoop({ places, tools, ...deps }: LoopDeps): AgentBackend {
  return {
    name: "steward",
    runSegment: async (segment) =>
      runSegment({ ...deps, ...(await places.of(segment.conversation)), tools: await tools() }, segment),
  };
}
