// Durable work: what is to be done later, again and again, or when something happens.
import type { RoomDefinition } from "../contract/room/room.ts";
import type { RoomBase } from "../contract/room/room-base.ts";
import type { Tool } from "../contract/tool.ts";
import type { Store } from "../store/open-store.ts";
import { heartbeatCommand } from "./commands/heartbeat-command.ts";
import { tasksCommand } from "./commands/tasks-command.ts";
import type { HeartbeatDeps } from "./heartbeat/open-heartbeat.ts";
import type { TaskDeps } from "./task-deps.ts";

export type TasksBase = Omit<TaskDeps, "log" | "database" | "engine" | "stays"> &
  Pick<RoomBase, "models" | "offered"> &
  Pick<HeartbeatDeps, "conventionFiles"> & {
    store: Store;
    mode: "chat" | "daemon";
    servesPage: boolean;
  };

/** Reminders, schedules, triggers and the heartbeat: all of them come in by the same door as a message. */
export const tasksRoom: RoomDefinition<TasksBase> = {
  name: "tasks",
  commands: [tasksCommand, heartbeatCommand],
  async open(base) {
    const { serveLazily } = await import("../contract/room/room-methods.ts");
    const { heartbeatMethods } = await import("../contract/wire/methods/heartbeat.ts");
    const { taskMethods } = await import("../contract/wire/methods/tasks.ts");
    const { countTasks } = await import("../store/tasks/tasks.ts");
    const { openEmbeddedEngine } = await import("./engine/embedded-engine.ts");
    const { followRuns } = await import("./run/follow-runs.ts");
    const { workJobs } = await import("./run/work-jobs.ts");
    const { watchFiles } = await import("./triggers/watch-files.ts");
    const { openHeartbeat } = await import("./heartbeat/open-heartbeat.ts");
    const { openTidy } = await import("./heartbeat/tidy/open-tidy.ts");
    const { proposeNotesTool } = await import("./heartbeat/tidy/propose-notes-tool.ts");
    const { runPrompt } = await import("./run/run-prompt.ts");
    const { taskTools } = await import("./tools/task-tools.ts");
    const { log, database } = base.store;
    const engine = await openEmbeddedEngine({
      database,
      world: base.world,
      onTrouble: base.trouble,
      soleProcess: true,
    });
    // who lives for one command leaves what is due to who stays, and tells somebody who is there
    const stays = base.mode === "daemon" || base.servesPage;
    const deps: TaskDeps = { ...base, log, database, engine, stays };
    const heartbeat = openHeartbeat({ ...base, ...deps });
    const tidy = openTidy({ ...base, ...deps });
    const running = { ...deps, heartbeat: heartbeat.speaker, beat: heartbeat.beat, tidy: tidy.tidy };
    const follower = followRuns(running);
    const tools = [
      ...taskTools(deps),
      proposeNotesTool({ ...deps, editTool: () => requireTool(base.offered, "edit") }),
    ];
    const closers: (() => Promise<void>)[] = [];
    return {
      tools: async () => tools,
      methods: {
        ...serveLazily(taskMethods, async () => (await import("./task-methods.ts")).serveTasks(deps)),
        ...serveLazily(heartbeatMethods, async () =>
          (await import("./heartbeat/heartbeat-methods.ts")).serveHeartbeat(deps, heartbeat),
        ),
      },
      routes: async () => [(await import("./webhook/hook-route.ts")).hookRoute(deps)],
      hears: async (mail) => (await import("./triggers/take-mail.ts")).takeMail(deps, mail),
      promptParts: async ({ conversation }) => [
        ...(await runPrompt(deps, conversation)),
        ...(await heartbeat.promptParts(conversation)),
        ...(await tidy.promptParts(conversation)),
      ],
      async status() {
        return { tasks: `${await countTasks(database)} planned; ${await heartbeat.describe()}` };
      },
      async start() {
        await (await import("./webhook/adopt-hooks.ts")).adoptHooks(deps);
        await follower.start();
        if (!stays) return;
        await heartbeat.start();
        await tidy.start();
        closers.push(workJobs(running).close, watchFiles({ ...deps, offered: base.offered }).close);
      },
      async close() {
        for (const close of closers) await close();
        await heartbeat.close();
        await follower.close();
        await engine.close();
      },
    };
  },
};

/** What another room offers, when all are open. */
async function requireTool(offered: Pick<TasksBase["offered"], "tools">, name: string): Promise<Tool> {
  const tool = (await offered.tools()).find((each) => each.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}
