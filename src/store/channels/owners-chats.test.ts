import { expect, test } from "vitest";
import { storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { conversationAt } from "../../contract/channel/address.ts";
import { GroupOptions } from "../../contract/channel/group.ts";
import { installationKey } from "../../contract/event.ts";
import { lastSpoken, ownersChats } from "./owners-chats.ts";

const owner = { kind: "owner", id: "web" } as const;

/** The owner says a line in each of these, from the page, in this order. */
async function spokenIn(places: readonly { channel: string; chat: string; isDirect: boolean }[]) {
  const store = await storeIn(await temporaryFolder());
  for (const { channel, chat, isDirect } of places) {
    const conversation = conversationAt(channel, { chat });
    await store.log.append([
      { type: "chat.met", conversation, channel, address: { chat }, isDirect, title: chat, details: {} },
      {
        ...{ type: "message.received", conversation, channel, messageId: chat },
        ...{ sender: owner, text: "one line", attachments: [] },
      },
    ]);
  }
  return store;
}

const own = { channel: "telegram", chat: "42", isDirect: true };

test.each([
  ["in a group", { channel: "telegram", chat: "-1000", isDirect: false }],
  ["to somebody who writes mails", { channel: "email", chat: "bob@example.net", isDirect: true }],
])(
  "a line that the owner writes %s from the page does not make it the place for what is theirs alone",
  async (_, other) => {
    const { database } = await spokenIn([own, other]);
    expect(await lastSpoken(database)).toBe("telegram--42");
    expect(await lastSpoken(database, other.channel)).toBe(other.channel === "telegram" ? "telegram--42" : undefined);
    expect((await ownersChats(database)).map(({ conversation }) => conversation)).toEqual(["telegram--42"]);
  },
);

test("nor does one in a group of which only its name is known yet, or that was ended", async () => {
  const { database, log } = await spokenIn([own]);
  const address = { chat: "-7" };
  const conversation = conversationAt("telegram", address);
  const by = { kind: "system", id: "test" } as const;
  const options = GroupOptions.parse({});
  const place = { conversation: installationKey, group: "seven", by };
  await log.append([{ type: "group.registered", ...place, title: "Seven", channel: "telegram", address, options }]);
  const said = { sender: owner, text: "one line", attachments: [] };
  await log.append([{ type: "message.received", conversation, channel: "telegram", messageId: "m", ...said }]);
  await log.append([{ type: "group.removed", ...place }]);
  expect(await lastSpoken(database)).toBe("telegram--42");
});
