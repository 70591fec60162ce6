import { expect, test } from "vitest";
import { conversation, messageReceived, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { findSession, listSessions } from "./conversations.ts";

test("a conversation is at work from the message on until its turn is over", async () => {
  const { log, database } = await storeIn(await temporaryFolder());
  const states = async () => [
    (await listSessions(database))[0]?.state,
    (await findSession(database, conversation))?.state,
  ];
  const { events } = await log.append([messageReceived("hello")]);
  expect(await states()).toEqual(["working", "working"]);
  await log.append([{ type: "turn.started", conversation, turn: "t1", messages: events.map(({ seq }) => seq) }]);
  expect(await states()).toEqual(["working", "working"]);
  await log.append([{ type: "turn.finished", conversation, turn: "t1", ending: "answered" }]);
  expect(await states()).toEqual(["idle", "idle"]);
});
