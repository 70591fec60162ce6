// What the assistant is told about the run it is in; the owner's own words stand in the message.

import { fenced } from "../../contract/channel/fenced-data.ts";
import type { PromptPart } from "../../contract/room/room.ts";
import { taskOf } from "../../contract/task/task.ts";
import { findTask, runsOf } from "../../store/tasks/tasks.ts";
import type { TaskDeps } from "../task-deps.ts";
import { momentWords } from "./run-words.ts";

const longestAnswer = 1_500;

export async function runPrompt(
  deps: Pick<TaskDeps, "database" | "log" | "timeZone">,
  conversation: string,
): Promise<readonly PromptPart[]> {
  const of = taskOf(conversation);
  const task = of === undefined ? undefined : await findTask(deps.database, of);
  if (!task) return [];
  const { id, definition } = task;
  const lines = [
    `# This is a run of the task “${definition.title}” (${id})`,
    "Nobody sits before the screen. Do what the message says with your tools; your answer is sent to the owner, so write what they should read and nothing about this note. If there is nothing they need to hear, answer exactly NOTHING_TO_REPORT.",
    ...(definition.until === undefined
      ? []
      : [
          `It ends when this holds: ${definition.until}. Once it does, say so and write CONDITION_MET as the last line of your answer. Until then answer NOTHING_TO_REPORT, unless the owner wants to hear of every run.`,
        ]),
    ...(await lastAnswer(deps, id)),
  ];
  return [{ text: lines.join("\n"), stable: false }];
}

/** So that a task can tell what has changed, at a cost that does not grow. */
async function lastAnswer(
  deps: Pick<TaskDeps, "database" | "log" | "timeZone">,
  task: string,
): Promise<readonly string[]> {
  const last = (await runsOf(deps.database, task, 10)).find(
    (run) => run.state === "done" && run.answerSeq !== undefined,
  );
  const [event] = last?.answerSeq === undefined ? [] : await deps.log.at([last.answerSeq]);
  if (!last || event?.type !== "reply.written") return [];
  const about = `Your last answer was given ${momentWords(last.dueAtMs, deps.timeZone)}.`;
  return [fenced(about, event.text.slice(0, longestAnswer).toWellFormed())];
}
