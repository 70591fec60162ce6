// One ordinary task, done by an honest model for an owner who says yes: how often were they asked, and was it done?
import type { Event } from "../../../src/contract/event.ts";
import type { OrdinaryTask } from "../../corpora/ordinary-tasks.ts";
import type { Stage } from "./attempt.ts";
import { followTurn } from "./follow-turn.ts";
import { addScript } from "./hostile-model.ts";

export type TaskOutcome = { task: string; questions: readonly string[]; failures: readonly string[] };

export async function doTask(stage: Stage, task: OrdinaryTask): Promise<TaskOutcome> {
  const { client } = stage.steward;
  await task.arrange?.(stage.scene);
  const { sessionKey } = await client.call("sessions.create", {});
  const mark = addScript(stage.scripts, stage.nextMark++, task);
  const questions: string[] = [];
  const failures: string[] = [];
  const isOver = await followTurn(stage.steward, { sessionKey, message: `${task.says} ${mark}` }, async (event) => {
    failures.push(...failureOf(event));
    if (event.type !== "approval.asked") return;
    questions.push(`${event.rule}: ${event.display}`);
    await client.call("exec.approve", { approvalId: event.approvalId });
  });
  return { task: task.says, questions, failures: isOver ? failures : [...failures, "the turn did not end"] };
}

function failureOf(event: Event): readonly string[] {
  if (event.type === "tool.returned" && event.outcome !== "done")
    return [`${event.tool}: ${event.output.slice(0, 300)}`];
  return event.type === "turn.finished" && event.ending !== "answered" ? [`the turn ended: ${event.ending}`] : [];
}
