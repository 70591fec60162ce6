import { expect, test } from "vitest";
import { heartbeatFiles, heartbeatTools, toolsIn } from "./heartbeat-profile.ts";

const offered = ["read", "write", "bash", "browser", "web_fetch", "schedule_task", "send_message"];
const written = (text: string) => [{ name: "HEARTBEAT.md", text }];

test("a heartbeat looks with the tools that read, and plans what is more than that", () => {
  expect(heartbeatTools(offered, [])).toEqual(["read", "web_fetch", "schedule_task"]);
});

test("a tool that the instructions name between backticks comes along", () => {
  const tools = heartbeatTools(offered, written("Write me a line when `bash` says that the disk is full."));
  expect(tools).toEqual(["read", "bash", "web_fetch", "schedule_task"]);
});

test("one that only a comment names does not", () => {
  expect(heartbeatTools(offered, written("<!-- such as `bash`\n -->\nlook"))).not.toContain("bash");
  expect(heartbeatTools(offered, written("look <!-- `bash`"))).not.toContain("bash");
});

test("of the convention files it carries who speaks and whom to", () => {
  const all = ["AGENTS.md", "SOUL.md", "USER.md", "HEARTBEAT.md", "MEMORY.md"].map((name) => ({ name, text: name }));
  expect(heartbeatFiles(all).map(({ name }) => name)).toEqual(["SOUL.md", "USER.md"]);
});

test("what proposes changes of notes is there in the nightly look alone, and nothing there reaches out", () => {
  const all = [...offered, "memory_search", "memory_get", "propose_notes"];
  expect(toolsIn("heartbeat--tidy", all, [])).toEqual(["read", "memory_search", "memory_get", "propose_notes"]);
  for (const conversation of ["heartbeat--main", "terminal--default", "task--t1"])
    expect(toolsIn(conversation, all, written("use `propose_notes`"))).not.toContain("propose_notes");
});
