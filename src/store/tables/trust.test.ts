import { expect, test } from "vitest";
import { conversation, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { EventOf, NewEvent } from "../../contract/event.ts";
import { fileTrust } from "./trust.ts";

const path = "report.md";
type Written = Omit<EventOf<"tool.returned">["files"][number], "path">;

function wrote(conversation: string, file: Written): NewEvent {
  return {
    ...{ type: "tool.returned", conversation, turn: "t1", step: 0, callId: "c1", tool: "write", outcome: "done" },
    ...{ output: "", attachments: [], labels: [], changes: [], files: [{ path, ...file }] },
  } as NewEvent;
}

async function trustAfterDeletion(...events: readonly NewEvent[]) {
  const { log, database } = await storeIn(await temporaryFolder());
  await log.append([...events]);
  await log.append([{ type: "conversation.deleted", conversation, by: { kind: "owner", id: "owner" } } as NewEvent]);
  return fileTrust(database, path);
}

test("of a file that a deleted conversation wrote last, only the kinds of its labels stay", async () => {
  const trust = await trustAfterDeletion(wrote(conversation, { labels: ["file:a.txt", "web:example.org"] }));
  expect(trust?.labels).toEqual(["file", "web"]);
});

test("a file that another conversation has written since keeps its labels", async () => {
  const trust = await trustAfterDeletion(
    wrote(conversation, { labels: ["file:a.txt"] }),
    wrote("web--other", { labels: ["web:evil.example"] }),
  );
  expect(trust?.labels).toEqual(["web:evil.example"]);
});

test("a file that was vouched for since stays trusted", async () => {
  const vouched = { labels: [], stamp: "1 2 3" };
  const trust = await trustAfterDeletion(
    wrote(conversation, { labels: ["web:example.org"] }),
    wrote("web--other", vouched),
  );
  expect(trust).toEqual(vouched);
});
