import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messageReceived, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { listSessions } from "../tables/conversations.ts";
import { waitingMessages } from "../tables/open-work.ts";
import { migrate, migrations } from "./migrations.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";

for (const [index, migration] of migrations.slice(0, -1).entries()) {
  test(`a database of schema ${migration.version} comes forward with its messages, and a copy of it is kept`, async () => {
    const home = await temporaryFolder();
    await writeOldDatabase(home, index + 1);
    const store = await storeIn(home);
    expect(await waitingMessages(store.database, "terminal--default")).toEqual([1]);
    expect(await listSessions(store.database)).toMatchObject([
      { sessionKey: "terminal--default", messages: 1, title: "from before" },
    ]);
    expect(
      (await readdir(join(home, "data"))).filter((name) => name.includes(`before-schema-${migration.version}`)),
    ).toHaveLength(1);
  });
}

test("a database from a newer Steward is refused in a sentence that says what to do, and left as it was", async () => {
  const home = await temporaryFolder();
  const store = await storeIn(home);
  await store.log.append([messageReceived("hi")]);
  await store.database.transaction(true, (tx) =>
    tx.query("INSERT INTO schema_versions (version, applied_at_ms) VALUES (999, 0)"),
  );
  await store.close();
  await expect(storeIn(home)).rejects.toThrow(
    "written by a newer Steward (schema 999; this one knows 9). Update Steward",
  );
});

async function writeOldDatabase(home: string, versions: number): Promise<void> {
  await mkdir(join(home, "data"));
  const database = openSqliteDatabase(join(home, "data", "steward.db"));
  const nothing = async () => {};
  await migrate(
    { migrations: migrations.slice(0, versions), nowMs: () => 0, keepCopy: nothing, refold: nothing },
    database,
  );
  const { type, conversation, ...body } = messageReceived("from before");
  await database.transaction(true, (tx) =>
    tx.query("INSERT INTO events (seq, at_ms, type, conversation, turn, body) VALUES (1, 5, ?, ?, NULL, ?)", [
      type,
      conversation,
      JSON.stringify(body),
    ]),
  );
  await database.close();
}
