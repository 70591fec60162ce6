import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messageTools } from "../../../src/tools/messages/message-tools.ts";
import { openAssistant } from "../../scenes/assistant.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { storeIn } from "../../scenes/stores.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

async function assistantThatCalls(
  calls: readonly { tool: string; arguments: unknown }[],
  files: Record<string, string> = {},
) {
  const home = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text);
  const assistant = await openAssistant({
    home,
    workspace: home,
    model: scriptedModel([{ text: "", calls }, { text: "That was all." }]),
    toolsOf: (store) => messageTools({ ...store, redact: (text) => text.replaceAll("hunter2", "[redacted]") }),
  });
  await assistant.say("keep me posted");
  await assistant.until("turn.finished");
  return assistant;
}

test("a word in between is said at once, and the answer comes after it", async () => {
  const assistant = await assistantThatCalls([{ tool: "send_message", arguments: { text: "Half-way there." } }]);
  expect(await assistant.replies()).toEqual(["Half-way there.", "That was all."]);
});

test("a file of the workspace reaches the owner with its bytes", async () => {
  const assistant = await assistantThatCalls(
    [{ tool: "send_file", arguments: { path: "a.csv", text: "Here it is." } }],
    {
      "a.csv": "1,2",
    },
  );
  const [reply] = await assistant.until("reply.written");
  const [ref] = reply?.attachments ?? [];
  expect([reply?.text, ref?.name, ref?.mediaType]).toEqual(["Here it is.", "a.csv", "text/csv"]);
  if (!ref) throw new Error("no file was attached");
  expect(Buffer.from(await assistant.store.attachments.read(ref)).toString()).toBe("1,2");
});

test("a file outside the workspace is not sent", async () => {
  const assistant = await assistantThatCalls([{ tool: "send_file", arguments: { path: "../../etc/passwd" } }]);
  const [returned] = await assistant.until("tool.returned");
  expect([returned?.outcome, returned?.output]).toEqual(["denied", expect.stringContaining("outside the workspace")]);
});

test("secrets are masked in what is said in between", async () => {
  const assistant = await assistantThatCalls([
    { tool: "send_message", arguments: { text: "the password is hunter2" } },
  ]);
  expect((await assistant.replies())[0]).toBe("the password is [redacted]");
});

test("run again after a crash, a word is still said once", async () => {
  const store = await storeIn(await temporaryFolder());
  const [tool] = messageTools({ ...store, redact: (text) => text });
  const bound = tool?.bind({ text: "once" });
  if (!bound?.ok) throw new Error("the arguments do not fit");
  const context = {
    conversation: "terminal--default",
    turn: "t",
    callId: "c",
    asker: { kind: "owner", id: "owner" } as const,
    workspace: "/",
    signal: new AbortController().signal,
    progress: () => {},
  };
  for (let times = 0; times < 2; times++) await bound.call.run(context);
  expect((await store.log.since(0, 10)).filter((event) => event.type === "reply.written")).toHaveLength(1);
});
