// Which task is meant by a name, and what is said when it is not clear.
import { expect, test } from "vitest";
import { calling, modelThat, openPlanner } from "../scenes/tasks/planner-scene.ts";

const startAt = "2026-11-16T12:00:00Z";
const cancelling = () =>
  modelThat(({ words, step }) =>
    step === 0
      ? words === "list"
        ? calling("list_tasks", {})
        : calling("cancel_task", { id: words })
      : { text: "Done." },
  );

async function sceneWith(titles: readonly string[], when = "2026-11-20T09:00:00Z") {
  const scene = await openPlanner({ model: cancelling(), startAt });
  for (const title of titles) await scene.call("tasks.create", { when, title, action: { kind: "say", text: title } });
  const output = async (words: string) => {
    await scene.say(words);
    return (await scene.until("tool.returned")).at(-1)?.output ?? "";
  };
  return { scene, output };
}

test("when several tasks fit, each is shown with its title and time, and what to do next", async () => {
  const { scene, output } = await sceneWith(["Water the plants", "Water the cactus"]);
  const lines = (await output("water")).split("\n");
  expect(lines[0]).toBe("Several tasks fit “water”. Name one by its whole title or by its id:");
  const byTitle = (line: string) => line.split("  ")[1] ?? "";
  expect(lines.slice(1).sort((one, other) => byTitle(one).localeCompare(byTitle(other)))).toEqual([
    expect.stringMatching(/^t\w+ {2}Water the cactus — Fri 20 Nov \d\d:00$/),
    expect.stringMatching(/^t\w+ {2}Water the plants — Fri 20 Nov \d\d:00$/),
  ]);
  expect(await scene.tasks()).toHaveLength(2);
});

test("a title that is just so wins over a longer one", async () => {
  const { output } = await sceneWith(["Water", "Water the cactus"]);
  expect(await output("water")).toContain("Cancelled: “Water”");
});

test("of many tasks of which none fits, ten are named and the rest is counted", async () => {
  const { output } = await sceneWith(Array.from({ length: 14 }, (_, at) => `Errand ${at}`));
  const lines = (await output("violin")).split("\n");
  expect([lines[0], lines.length, lines.at(-1)]).toEqual(["No task fits “violin”. There are:", 12, "and 4 more"]);
});

test("what comes once is listed with its time and nothing else", async () => {
  const { output } = await sceneWith(["Stretch"]);
  expect(await output("list")).toMatch(/^t\w+ {2}Stretch — Fri 20 Nov \d\d:00$/);
});

test("what comes again is listed with its next time, and that it is paused if it is", async () => {
  const { scene, output } = await sceneWith(["Stretch"], "every day at 9am");
  const [task] = await scene.tasks();
  expect(await output("list")).toMatch(/Stretch — every day at 09:00; next Tue 17 Nov 09:00$/);
  await scene.call("tasks.pause", { id: task?.id });
  await scene.say("list");
  expect((await scene.until("tool.returned", 2)).at(-1)?.output).toMatch(/Stretch — every day at 09:00; paused$/);
});
