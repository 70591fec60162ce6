// One function decides every call of every tool: allow, ask a person, or deny. It fails closed.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Sender } from "../contract/event.ts";
import type { BoundCall, PathUse, Tool } from "../contract/tool.ts";

export type Decision = { verdict: "allow" } | { verdict: "ask" | "deny"; rule: string; reason: string };

export type GuardedCall = { tool: Tool; call: BoundCall; workspace: string; asker: Sender };

export type Guard = {
  decide(call: GuardedCall): Promise<Decision>;
  /** What an approval is bound to: if any of it changes, the approval is void. */
  bindingOf(call: GuardedCall): Promise<string>;
};

export function openGuard(): Guard {
  return {
    decide: async (call) => decide(call),
    bindingOf: async ({ tool, call, workspace }) =>
      createHash("sha256")
        .update(JSON.stringify([tool.name, call.arguments, workspace]))
        .digest("hex"),
  };
}

function decide({ tool, call, workspace, asker }: GuardedCall): Decision {
  if (asker.kind === "stranger") return { verdict: "deny", rule: "stranger", reason: "Strangers may not use tools." };
  for (const use of call.paths) {
    const verdict = judgePath(use, workspace);
    if (verdict.verdict !== "allow") return verdict;
  }
  const beyondFiles = tool.effects.filter((effect) => effect !== "reads" && effect !== "changes");
  if (beyondFiles.length > 0) return { verdict: "ask", rule: "effects", reason: `This ${beyondFiles.join(" and ")}.` };
  if (tool.effects.includes("changes") && call.paths.length === 0) {
    return { verdict: "ask", rule: "effects", reason: "This changes something outside the workspace." };
  }
  return { verdict: "allow" };
}

// files that steer the assistant itself: a line slipped in here would speak with the owner's voice from then on
const steeringFiles = new Set(["agents.md", "soul.md", "identity.md", "tools.md", "heartbeat.md"]);
const steeringFolders = new Set(["skills", "agents"]);

function judgePath(use: PathUse, workspace: string): Decision {
  const inside = use.path.startsWith(workspace + posix.sep) ? use.path.slice(workspace.length + 1) : use.path;
  const parts = posix.normalize(inside).toLowerCase().split(posix.sep);
  const first = parts[0] ?? "";
  if (parts.at(-1) === ".env")
    return { verdict: "deny", rule: "secrets", reason: "The .env file holds secrets; only the owner opens it." };
  if (use.access === "write" && ((parts.length === 1 && steeringFiles.has(first)) || steeringFolders.has(first))) {
    return {
      verdict: "ask",
      rule: "steering files",
      reason: `${use.path} shapes how the assistant behaves from now on.`,
    };
  }
  return { verdict: "allow" };
}
