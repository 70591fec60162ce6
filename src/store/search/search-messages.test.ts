import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { messageReceived, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { NewEvent } from "../../contract/event.ts";
import type { Store } from "../open-store.ts";
import { openSqliteMessageSearch } from "./search-messages.ts";

const owner = { kind: "owner", id: "owner" } as const;
const reply = (text: string, conversation = "terminal--default"): NewEvent => ({
  type: "reply.written",
  conversation,
  channel: "terminal",
  text,
  attachments: [],
});

function searchIn(store: Store) {
  const troubles: unknown[] = [];
  const search = openSqliteMessageSearch({ ...store, onTrouble: (...trouble) => troubles.push(trouble) });
  const textsFor = async (query: string) => (await search.search(query, 30)).map((hit) => hit.snippet);
  return { ...search, textsFor, troubles };
}

async function storeWith(...events: NewEvent[]) {
  const home = await temporaryFolder();
  const store = await storeIn(home);
  if (events.length > 0) await store.log.append(events);
  return { home, store, ...searchIn(store) };
}

test("what a person and the assistant said is found, newest first, with who, when and where", async () => {
  const { search } = await storeWith(messageReceived("Buy oat milk"), reply("The milk is on the list."), reply("Bye."));
  expect(await search("milk", 10)).toMatchObject([
    { seq: 2, who: "assistant", snippet: "The milk is on the list.", conversation: "terminal--default" },
    { seq: 1, who: "person", snippet: "Buy oat milk", title: "Buy oat milk" },
  ]);
});

test("what is said after the first search is found by the next", async () => {
  const { store, textsFor } = await storeWith(messageReceived("alpha"));
  await textsFor("alpha");
  await store.log.append([reply("alphabet")]);
  expect(await textsFor("alpha")).toEqual(["alphabet", "alpha"]);
});

test.each([
  ["MILK oat", "words in any order and any case"],
  ['"oat milk"', "a phrase"],
  ["mil", "a word that is only begun"],
  ["cafe", "a letter without its accent"],
  ['buy "oat milk', "a phrase that is not closed"],
])("%s finds the message: %s", async (query) => {
  const { textsFor } = await storeWith(messageReceived("Buy oat milk at the café"), reply("nothing of the kind"));
  expect(await textsFor(query)).toEqual(["Buy oat milk at the café"]);
});

test.each(['"milk oat"', "buy bread", "m", "ilk"])("%s does not find “Buy oat milk”", async (query) => {
  const { textsFor } = await storeWith(messageReceived("Buy oat milk"));
  expect(await textsFor(query)).toEqual([]);
});

test("a script without spaces is found in the middle of a sentence, and shown as it was written", async () => {
  const { textsFor } = await storeWith(messageReceived("明日の天気予報を教えてください"));
  expect((await textsFor("天気"))[0]).toContain("天気予報");
  expect(await textsFor("気天")).toEqual([]);
});

test("nothing that can be typed is an instruction to the index", async () => {
  const { textsFor, troubles } = await storeWith(messageReceived("NEAR text AND seq OR NOT column:value ^start (a)"));
  const typed = `* ** "*" text:* rowid:1 {text} : ^ + - ( ) ) OR AND NOT NEAR(a b, 2) "a" "b" '; DROP TABLE events; -- \0 \u{1f600} \ud800 " "" """ a" "b text* -text`;
  for (const query of [...typed.split(" "), typed, "OR", "a AND", "text NOT seq", '"', '" "', "\0", "'"]) {
    await textsFor(query);
  }
  expect(troubles).toEqual([]);
  expect(await textsFor("text AND seq")).toHaveLength(1);
  expect(await textsFor("NOT text")).toHaveLength(1);
  expect(await textsFor("column:value")).toHaveLength(1);
});

test("a deleted conversation leaves the index and every word of it the file", async () => {
  const { home, store, textsFor, close } = await storeWith(
    messageReceived("xylophonequartz", { conversation: "terminal--a" }),
    ...Array.from({ length: 60 }, (_, at) => reply(`xylophonequartz ${at}`, "terminal--a")),
    messageReceived("marimba", { conversation: "terminal--b" }),
  );
  expect(await textsFor("xylophonequartz")).toHaveLength(30);
  await store.log.append([{ type: "conversation.deleted", conversation: "terminal--a", by: owner }]);
  expect(await textsFor("xylophonequartz")).toEqual([]);
  expect(await textsFor("marimba")).toHaveLength(1);
  await close();
  const database = new DatabaseSync(join(home, "data", "steward.db"), { readOnly: true });
  const holding = (word: string) =>
    database
      .prepare(
        `SELECT (SELECT COUNT(*) FROM message_search_content WHERE instr(c0, ?) > 0)
              + (SELECT COUNT(*) FROM message_search_data WHERE instr(block, CAST(? AS BLOB)) > 0) AS count`,
      )
      .get(word, word)?.count;
  expect([holding("xylophonequartz"), holding("marimba")]).toEqual([0, 2]);
  database.close();
});

test("a part of a conversation that was set aside is not found, and what was said instead is", async () => {
  const { store, textsFor } = await storeWith(messageReceived("first plan"), reply("plan noted"), reply("other plan"));
  await textsFor("plan");
  await store.log.append([
    { type: "conversation.rewound", conversation: "terminal--default", fromSeq: 2, by: owner },
    messageReceived("better plan"),
  ]);
  expect(await textsFor("plan")).toEqual(["better plan", "first plan"]);
});

test("messages that were forgotten are not found, and those around them are", async () => {
  const { store, textsFor } = await storeWith(messageReceived("plan one"), reply("plan two"), reply("plan three"));
  await textsFor("plan");
  await store.log.append([
    { type: "messages.forgotten", conversation: "terminal--default", seqs: [1, 2], by: owner },
    reply("plan four"),
  ]);
  expect(await textsFor("plan")).toEqual(["plan four", "plan three"]);
});

test("a log that was written long before the first search is taken in whole", async () => {
  const events = Array.from({ length: 2_500 }, (_, at) => messageReceived(`note ${at}`, { messageId: `m${at}` }));
  const { search } = await storeWith(...events, reply("note last"));
  expect(await search("note", 100)).toHaveLength(100);
  expect(await search('"note 0"', 5)).toMatchObject([{ seq: 1 }]);
});

test("an index that is damaged or of another layout is made again from the log", async () => {
  const { store, textsFor, troubles } = await storeWith(messageReceived("alpha"));
  await textsFor("alpha");
  await store.database.transaction(true, (tx) => tx.query("DROP TABLE message_search"));
  expect(await textsFor("alpha")).toEqual(["alpha"]);
  expect(troubles).toHaveLength(1);
  await store.database.transaction(true, (tx) =>
    tx.query("UPDATE cursors SET detail = 'old', seq = 99 WHERE name = 'message search'"),
  );
  expect(await textsFor("alpha")).toEqual(["alpha"]);
});

test("a process that ends at any moment leaves an index that the next one goes on with", async () => {
  const { home, store, textsFor, close } = await storeWith(messageReceived("alpha"));
  await textsFor("alpha");
  await close();
  await store.log.append([reply("alpha two")]);
  await store.close();
  const { textsFor: again } = searchIn(await storeIn(home));
  expect(await again("alpha")).toEqual(["alpha two", "alpha"]);
});

test("many searches at the same moment index each message once", async () => {
  const { textsFor, troubles } = await storeWith(...Array.from({ length: 50 }, (_, at) => reply(`beta ${at}`)));
  const all = await Promise.all(Array.from({ length: 20 }, () => textsFor("beta")));
  expect(all.every((texts) => texts.length === 30)).toBe(true);
  expect(troubles).toEqual([]);
});
