// A group that its platform gives another id, as Telegram does when it makes a supergroup of it.
import { expect, test } from "vitest";
import type { Group } from "../../src/contract/channel/group.ts";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { family } from "../scenes/channels/chat-scene.ts";
import { filesIn, type GroupChat, household, openGroupChat, steps } from "../scenes/channels/group-scene.ts";

const moved = -1_007;
const write = (path: string, content: string) => ({ tool: "write", arguments: { path, content } });
const later = { when: "2090-01-01T12:00:00Z", prompt: "write the list", title: "List" };

/** Both chats say so, in whichever order. */
async function move(chat: GroupChat): Promise<void> {
  chat.telegram.show(family, { migrate_to_chat_id: moved });
  chat.telegram.show(moved, { migrate_from_chat_id: family });
  const groups = async () => ((await chat.call("groups.list", {})) as { groups: Group[] }).groups;
  await chat.until(async () => (await groups())[0]?.address.chat === String(moved));
}

test("a group that has moved keeps its tasks, with its rights, and hears of them in the new chat", async () => {
  const chat = await openGroupChat({ group: { mode: "auto" } });
  await chat.turn({ calls: [{ tool: "schedule_task", arguments: later }] });
  await chat.untilEvent("reply.delivered");
  const before = chat.shown(family);
  await move(chat);
  chat.runs.push(...steps([write("list.md", "bread")]), { text: "The list is written." });
  const [made] = await chat.tasks();
  await chat.call("tasks.run", { id: made?.id });
  await chat.until(() => chat.shown(moved).includes("Andy: The list is written."));
  expect((await filesIn(chat.folder()))["list.md"]).toBe("bread");
  await chat.turn({ chat: moved, calls: [{ tool: "list_tasks", arguments: {} }] });
  expect((await chat.outputs()).at(-1)?.output).toContain(`${made?.id}  List`);
  expect(chat.shown(family)).toEqual(before);
});

test("what is under way in a group that moves ends in the new chat, over a restart too", async () => {
  const first = await openGroupChat();
  first.begin({ calls: [write("a.txt", "milk")] });
  await first.until(async () => (await first.open()).length === 1);
  await first.until(() => first.shown(family).some((text) => text.includes("I have asked the owner")));
  const before = first.shown(family);
  await move(first);
  const { home, telegram } = first;
  await first.close();
  const chat = await openGroupChat({ home, telegram, registers: false });
  chat.plan.push({ text: "It is noted." });
  for (const { approvalId } of await chat.open()) await chat.call("exec.approve", { approvalId });
  await chat.until(() => chat.shown(moved).includes("Andy: It is noted."));
  expect(chat.shown(family)).toEqual(before);
  expect(await filesIn(chat.folder())).toMatchObject({ "a.txt": "milk" });
  expect((await chat.outputs()).map(({ conversation, outcome }) => [conversation, outcome])).toEqual([
    [household, "done"],
  ]);
  await chat.close();
  expect((await checkStore(home)).filter(({ ok }) => !ok)).toEqual([]);
});
