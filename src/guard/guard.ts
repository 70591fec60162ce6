// One function decides every call of every tool: allow, ask a person, or deny. All rules are heard; the strictest one wins.
import { bindCall } from "./bind-call.ts";
import type { Decision, Guard, GuardDeps, GuardedCall } from "./judgement.ts";
import {
  judgeAsker,
  judgeCommand,
  judgeDestinations,
  judgeEffects,
  judgePaths,
  judgePolicy,
  judgeTaint,
} from "./rules.ts";

const severity = { allow: 0, ask: 1, deny: 2 } as const;

export function openGuard(deps: GuardDeps): Guard {
  return { decide, bindingOf: (call) => bindCall(deps, call) };

  async function decide(guarded: GuardedCall): Promise<Decision> {
    const command = guarded.call.command === undefined ? undefined : await deps.judgeShell(guarded.call.command);
    const judgements = [
      judgeAsker(guarded),
      judgePolicy(deps, guarded),
      judgePaths(guarded),
      judgeCommand(command),
      judgeTaint(deps, guarded, command),
      judgeDestinations(deps, guarded),
      judgeEffects(deps, guarded, command),
    ];
    const strictest = judgements.reduce((worst, next) =>
      severity[next.verdict] > severity[worst.verdict] ? next : worst,
    );
    if (strictest.verdict !== "ask") return strictest;
    const mustAsk = judgements.some((judgement) => judgement.verdict === "ask" && judgement.lasting === true);
    if (!mustAsk && (await deps.isGranted(await bindCall(deps, guarded)))) return { verdict: "allow" };
    return strictest;
  }
}
