import type { CommandContext, CommandInput } from "../../contract/room/command.ts";
import { printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import { taskConversation } from "../../contract/task/task.ts";
import type { Followed, GatewayClient } from "../../contract/wire/client.ts";
import type { TaskRun } from "../../contract/wire/methods/tasks.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { findTask } from "./find-task.ts";
import { answerWords, clockOf } from "./print-tasks.ts";
import { titleWords } from "./task-words.ts";

/** Begins a run now. Without a daemon it goes on inside this process, so its end is awaited. */
export function runTask(input: CommandInput, context: CommandContext): Promise<number> {
  return withClient(context, async (client) => {
    const found = await findTask(client, input.arguments[0] ?? "");
    const { mode, lastSeq } = await client.call("health.check", {});
    const { task, run: id } = await client.call("tasks.run", { id: found.id });
    const asJson = input.flags.has("json");
    // a reminder is over with its beginning
    const isSaid = task.action.kind === "say";
    const waits = !isSaid && (input.flags.has("wait") || mode !== "daemon");
    if (!asJson)
      context.console.output.write(
        `${isSaid ? "Said" : "Begun"}: ${titleWords(task)}.${next(waits || isSaid, task.id)}\n`,
      );
    const run = waits ? await untilOver(client, { task: task.id, id, since: lastSeq }) : undefined;
    if (asJson) printJson(context.console, { task, run: id, ...(run && { outcome: run }) });
    else if (run) context.console.output.write(`${shownLines(answerWords(run, clockOf(context)))}\n`);
    return run?.state === "failed" ? 1 : 0;
  });
}

function next(isTold: boolean, id: string): string {
  return isTold ? "" : ` How it goes: steward tasks history ${id}`;
}

type BegunRun = { task: string; id: string; since: number };

/** The run once it is over, or waits for a person. */
function untilOver(client: GatewayClient, { task, id, since }: BegunRun): Promise<TaskRun | undefined> {
  return new Promise((resolve, reject) => {
    let looking = Promise.resolve();
    const end = (run: TaskRun | undefined) => {
      stop();
      resolve(run);
    };
    const look = async () => {
      const { runs } = await client.call("tasks.history", { id: task });
      const run = runs.find((one) => one.id === id);
      // what it said has been delivered too
      if (run && (run.state === "waiting" || run.settled !== undefined)) end(run);
    };
    const lookAgain = () => {
      looking = looking.then(look).catch(reject);
    };
    const stop = client.follow(since, (followed) => {
      if (mayEnd(followed, taskConversation(task))) lookAgain();
    });
    lookAgain();
    void client.closed.then(() => end(undefined));
  });
}

function mayEnd(followed: Followed, conversation: string): boolean {
  if (followed.type !== "task.settled" && followed.type !== "turn.waiting") return false;
  return followed.conversation === conversation;
}

// what a model has written must not pass for our own words, line by line
function shownLines(text: string): string {
  return text
    .split("\n")
    .map((line) => visibleLine(line, 10_000))
    .join("\n");
}
