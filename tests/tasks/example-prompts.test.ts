// What people say first to an assistant that keeps its word, from their words to what they are told.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Task } from "../../src/gateway/rest/tasks/task.ts";
import { readEvents } from "../fakes/event-source.ts";
import { eventually } from "../scenes/eventually.ts";
import { openRestScene } from "../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { knock, makeHook, openTaskScene, signed } from "../scenes/tasks/hook-scene.ts";
import { calling, modelThat, openPlanner, systemText } from "../scenes/tasks/planner-scene.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { fileToolsIn } from "../scenes/tools/file-tools-in.ts";
import { testTool } from "../scenes/tools.ts";

const here = "terminal--default";

test("close all issues older than 30 days: one task, many questions, one answer to all of them", async () => {
  const close = testTool({ name: "close_issue", effects: ["sends"], class: "unsafe" });
  const calls = ["12", "31", "44"].map((value) => ({ tool: "close_issue", arguments: { value } }));
  const model = scriptedModel([{ text: "", calls }, { text: "Closed 3 issues." }]);
  const scene = await openRestScene({ model, tools: [close] });
  const prompt = "On AnswerOverflow/AnswerOverflow, close all issues older than 30 days";
  const begun = (await scene.send("POST", "/api/tasks", { prompt })).body as Task;
  const reader = readEvents(await scene.request(`/api/tasks/${begun.id}/events`));
  const typesOf = () => reader.events.map(({ data }) => (data as { type: string }).type);
  await reader.until(() => typesOf().filter((type) => type === "approval_request").length === 3);
  expect(close.runs).toEqual([]);
  await scene.until("turn.waiting");
  const { approvals } = (await scene.call("approvals.list", {})) as { approvals: { approvalId: string }[] };
  const approvalIds = approvals.map(({ approvalId }) => approvalId);
  expect(await scene.call("approvals.answer", { approvalIds, decision: "approved" })).toEqual({ answered: 3 });
  await reader.ended;
  expect(close.runs.toSorted()).toEqual(["12", "31", "44"]);
  expect(typesOf().filter((type) => type === "approval_resolved" || type === "tool_result").length).toBe(6);
  expect(typesOf().slice(-2)).toEqual(["agent_message", "completed"]);
});

test("every day at 9am check, let me know, and stop once it is so", async () => {
  let visitors = 9_000_000;
  const counter = testTool({ name: "visitors", run: async () => `${visitors} visitors` });
  const model = modelThat(({ words, step, request }) => {
    if (words.startsWith("Every day"))
      return step === 0
        ? calling("schedule_task", {
            when: "every day at 9am",
            prompt: "Check the visitors of my site.",
            until: "the site has hit 10M visitors",
          })
        : { text: "I will look every day at 9am." };
    if (step === 0) return calling("visitors", { value: "all" });
    if (visitors < 10_000_000) return { text: "NOTHING_TO_REPORT" };
    return { text: `Your site has hit 10M visitors!\n${/CONDITION_MET/.exec(systemText(request))?.[0]}` };
  });
  const scene = await openPlanner({ model, tools: [counter], startAt: "2026-11-16T12:00:00Z" });
  await scene.say("Every day at 9am check if my site has hit 10M visitors with PostHog and if it has let me know");
  await scene.until("turn.finished");
  const { id, nextAtMs } = await scene.onlyTask();
  expect(nextAtMs).toBe(Date.parse("2026-11-17T09:00:00Z"));
  await scene.leapTo("2026-11-17T09:00:01Z");
  await scene.settledRuns(id, 1);
  expect([await scene.toldIn(here), (await scene.runs(id))[0]?.settled]).toEqual([[], "quiet"]);
  visitors = 10_400_000;
  await scene.leapTo("2026-11-18T09:00:01Z");
  await scene.settledRuns(id, 2);
  expect(await scene.toldIn(here)).toEqual(["Your site has hit 10M visitors!"]);
  expect(await scene.onlyTask()).toMatchObject({ state: "ended", ended: "condition", lastRun: { state: "done" } });
  // another one of the same time shows that it has come
  await scene.call("tasks.create", { when: "2026-11-20T09:00:00Z", action: { kind: "say", text: "Friday." } });
  await scene.leapTo("2026-11-20T09:00:01Z");
  await eventually(async () => (await scene.toldIn(here)).includes("Friday."));
  expect((await scene.runs(id)).length).toBe(2);
});

test("tell me every day at 5pm, for ever: also after a restart, once a day", async () => {
  const home = await temporaryFolder();
  const model = modelThat(({ words, step }) => {
    if (words.startsWith("Tell me"))
      return step === 0
        ? calling("schedule_task", { when: "every day at 5pm", prompt: "Count the subscribers." })
        : { text: "Every day at 5pm." };
    return { text: "There are 12 subscribers." };
  });
  const first = await openPlanner({ home, model, startAt: "2026-11-16T12:00:00Z" });
  await first.say("Tell me how many people have subscribed every day at 5pm");
  await first.until("turn.finished");
  const { id } = await first.onlyTask();
  await first.leapTo("2026-11-16T17:00:01Z");
  await first.settledRuns(id, 1);
  await first.close();
  const second = await openPlanner({ home, model, startAt: "2026-11-17T16:59:00Z" });
  expect((await second.runs(id)).length).toBe(1);
  await second.leapTo("2026-11-17T17:00:01Z");
  await second.settledRuns(id, 2);
  await second.leapTo("2026-11-18T17:00:01Z");
  await second.settledRuns(id, 3);
  expect(await second.toldIn(here)).toEqual(Array(3).fill("There are 12 subscribers."));
  expect((await second.onlyTask()).nextAtMs).toBe(Date.parse("2026-11-19T17:00:00Z"));
});

test("when I get an email, check if it's spam and if it is delete it: asked about, approved from elsewhere, deleted", async () => {
  const home = await temporaryFolder();
  const workspace = join(home, "workspace");
  await mkdir(join(workspace, "mail"), { recursive: true });
  for (const name of ["1.eml", "2.eml"]) await writeFile(join(workspace, "mail", name), `mail ${name}`);
  const model = modelThat(({ words, step }) => {
    if (!words.includes("You have won")) return { text: "NOTHING_TO_REPORT" };
    return step === 0 ? calling("delete", { path: "mail/2.eml" }) : { text: "I deleted a mail about a prize." };
  });
  const scene = await openTaskScene({ home, workspace, model, tools: fileToolsIn(await temporaryFolder()) });
  const prompt = "When I get an email, check if it's spam and if it is delete it";
  const { task, path, secret = "" } = await makeHook(scene, { name: "mail" }, { prompt });
  const arrives = (id: string, mail: object) => {
    const body = JSON.stringify(mail);
    return knock(scene, path, body, { ...signed(secret, body, { id }), "content-type": "application/json" });
  };
  expect((await arrives("1", { file: "mail/1.eml", subject: "Lunch?" })).status).toBe(202);
  await scene.until("task.settled");
  expect((await arrives("2", { file: "mail/2.eml", subject: "You have won" })).status).toBe(202);
  const [asked] = await scene.until("approval.asked");
  expect(asked).toMatchObject({ tool: "delete", labels: ["hook:mail", "person:hook:mail"] });
  const { token } = await scene.tokenFor("approve");
  const headers = { authorization: `Bearer ${token}` };
  const answered = await scene.send("POST", `/api/approvals/${asked?.callId}`, { decision: "approved" }, { headers });
  expect(answered.status).toBe(200);
  await scene.until("task.settled", 2);
  await expect(readFile(join(workspace, "mail", "2.eml"))).rejects.toThrow("ENOENT");
  expect(await readFile(join(workspace, "mail", "1.eml"), "utf8")).toBe("mail 1.eml");
  const { runs } = (await scene.call("tasks.history", { id: task.id })) as { runs: object[] };
  expect(runs).toMatchObject([
    { state: "done", settled: "delivered", answer: "I deleted a mail about a prize." },
    { state: "done", settled: "quiet" },
  ]);
});

test("send an overview every weekday morning at 9am: nothing on the weekend", async () => {
  const model = modelThat(({ words, step }) => {
    if (words.startsWith("Send me"))
      return step === 0
        ? calling("schedule_task", { when: "every weekday morning at 9am", prompt: "Write the overview of sales." })
        : { text: "Done." };
    return { text: "Sales are fine." };
  });
  // a Friday
  const scene = await openPlanner({ model, startAt: "2026-11-20T08:00:00Z" });
  await scene.say("Send me an overview of the sales pipeline every weekday morning at 9am");
  await scene.until("turn.finished");
  const { id } = await scene.onlyTask();
  await scene.leapTo("2026-11-20T09:00:01Z");
  await scene.settledRuns(id, 1);
  await eventually(async () => (await scene.onlyTask()).nextAtMs === Date.parse("2026-11-23T09:00:00Z"));
  await scene.leapTo("2026-11-22T12:00:00Z");
  expect((await scene.runs(id)).length).toBe(1);
  await scene.leapTo("2026-11-23T09:00:01Z");
  await scene.settledRuns(id, 2);
  expect(await scene.toldIn(here)).toEqual(["Sales are fine.", "Sales are fine."]);
});

test("remind me every Monday at 9am: said as it stands, in the same conversation, without any model", async () => {
  const model = modelThat(({ step }) =>
    step === 0
      ? calling("schedule_task", { when: "every Monday at 9am", remind: "Review the weekly metrics." })
      : { text: "Done! I'll remind you every Monday at 9am." },
  );
  const scene = await openPlanner({ model, startAt: "2026-11-17T12:00:00Z" });
  await scene.say("Remind me every Monday at 9am to review the weekly metrics", "web--work");
  await scene.until("turn.finished");
  const asked = model.requests.length;
  for (const [index, day] of ["2026-11-23", "2026-11-30"].entries()) {
    await scene.leapTo(`${day}T09:00:01Z`);
    await eventually(async () => (await scene.toldIn("web--work")).length === index + 1);
  }
  expect(await scene.toldIn("web--work")).toEqual(Array(2).fill("Review the weekly metrics."));
  expect(model.requests.length).toBe(asked);
});
