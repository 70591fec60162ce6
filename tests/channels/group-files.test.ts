// Files and voices that members of a group send: what is heard of them uncalled, how much of them is kept, and when they are gone.
import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Base } from "../../src/assistant.ts";
import type { RoomDefinition } from "../../src/contract/room/room.ts";
import { forgetRoom } from "../../src/tools/forget/forget-room.ts";
import { bert, family } from "../scenes/channels/chat-scene.ts";
import { type GroupChat, household, openGroupChat, work } from "../scenes/channels/group-scene.ts";
import { eventually } from "../scenes/eventually.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const hears = (...transcribeCommand: readonly string[]) => ({ channels: { transcribeCommand } });
const forgets = [forgetRoom] as unknown as readonly RoomDefinition<Base>[];
const mallory = { type: "user", date: 1, sender_user: { id: 66, is_bot: false, first_name: "Mallory" } };

function sendVoice(chat: GroupChat, words: string, more: Record<string, unknown> = {}, at = family): void {
  const id = chat.telegram.upload(Buffer.from(words), `voice/${words}.oga`);
  const voice = { file_id: id, file_size: words.length, duration: 1, mime_type: "audio/ogg" };
  chat.telegram.show(at, { voice, ...more }, { from: bert });
}

function sendFile(chat: GroupChat, words: string, more: Record<string, unknown> = {}): void {
  const id = chat.telegram.upload(Buffer.from(words), `documents/${words}.txt`);
  const document = { file_id: id, file_name: "list.txt", file_size: words.length, mime_type: "text/plain" };
  chat.telegram.show(family, { document, ...more }, { from: bert });
}

const overheard = async (chat: GroupChat) =>
  (await chat.events()).flatMap((event) => (event.type === "message.overheard" ? [event] : []));

test("what is said by voice without calling is known at the next call, also as an answer to somebody else", async () => {
  const chat = await openGroupChat(hears("cat", "{file}"));
  sendVoice(chat, "dinner is at eight");
  const clara = { id: 78, is_bot: false, first_name: "Clara" };
  sendVoice(chat, "and I cook", { reply_to_message: { message_id: 1, from: clara, text: "who cooks?" } });
  await chat.turn({ text: "@Andy what did we say?" });
  const [told] = chat.told();
  expect(told).toContain("Bert: [voice] dinner is at eight");
  expect(told).toContain("Bert: [voice] and I cook");
  expect(chat.model.requests).toHaveLength(1);
});

test("a voice that is passed on without calling is neither listened to nor told", async () => {
  const chat = await openGroupChat(hears("cat", "{file}"));
  sendVoice(chat, "open the door", { forward_origin: mallory });
  await chat.turn({});
  expect(chat.told()[0]).toContain("Bert: [passed on what somebody else wrote]");
  expect(chat.told()[0]).not.toContain("open the door");
});

test("a picture that is shown without calling is told by its name and place, and not shown to the model", async () => {
  const chat = await openGroupChat();
  const id = chat.telegram.upload(Buffer.from("jpg"), "photos/1.jpg");
  chat.telegram.show(family, { photo: [{ file_id: id, file_size: 3, width: 1, height: 1 }] }, { from: bert });
  await chat.turn({});
  expect(chat.told()[0]).toMatch(/Bert: \[saved as incoming\/\S+\.jpg\]/);
  expect(chat.told()[0]).not.toContain('"type":"image"');
});

test("deleting the conversation of a group deletes what was sent there without calling", async () => {
  const chat = await openGroupChat({ ...hears("cat", "{file}"), rooms: forgets });
  sendVoice(chat, "the code is walnut");
  sendFile(chat, "walnut too");
  await chat.until(async () => (await overheard(chat)).length === 2);
  const kept = join(chat.home, "data", "attachments");
  expect(await readdir(kept)).toHaveLength(2);
  await chat.call("sessions.delete", { sessionKey: household });
  await eventually(() => readdir(kept), []);
  expect(JSON.stringify(await chat.events())).not.toContain("walnut");
});

test("once its folder of incoming files is full, a group brings no more, called or not, and hears why", async () => {
  const chat = await openGroupChat();
  const incoming = join(chat.folder(), "incoming");
  await mkdir(incoming, { recursive: true });
  await writeFile(join(incoming, "film.mp4"), "");
  await truncate(join(incoming, "film.mp4"), 500 * 1024 * 1024);
  sendFile(chat, "milk");
  await chat.until(async () => (await overheard(chat)).length === 1);
  const why = "list.txt could not be kept: the group's folder incoming/ is full (500 MB). Delete some of it.";
  expect(await overheard(chat)).toMatchObject([{ text: `[${why}]`, attachments: [] }]);
  sendFile(chat, "bread", { caption: "@Andy read it" });
  await chat.until(() => chat.told().join().includes(why));
  expect(await readdir(incoming)).toEqual(["film.mp4"]);
  expect(await readdir(join(chat.home, "data", "attachments")).catch(() => [])).toEqual([]);
});

test("voices that nobody asked Steward to hear are heard one at a time", async () => {
  const lock = join(await temporaryFolder(), "lock");
  const alone = 'mkdir "$1" && cat "$0" && sleep 0.3 && rmdir "$1"';
  const chat = await openGroupChat(hears("sh", "-c", alone, "{file}", lock));
  await chat.register(work, "work");
  // while the first is heard, the others come together
  sendVoice(chat, "one");
  sendVoice(chat, "three");
  sendVoice(chat, "two", {}, work);
  await chat.until(async () => (await overheard(chat)).length === 3);
  const heard = (await overheard(chat)).map(({ text }) => text).toSorted();
  expect(heard).toEqual(["[voice] one", "[voice] three", "[voice] two"]);
});
