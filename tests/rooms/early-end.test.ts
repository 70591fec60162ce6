import { expect, test } from "vitest";
import type { Base } from "../../src/assistant.ts";
import type { RoomDefinition } from "../../src/contract/room/room.ts";
import { openAssistant } from "../scenes/assistant.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";

test("whoever asks for a new start while Steward is still starting gets it when there is everything to close", async () => {
  const order: string[] = [];
  const hasty: RoomDefinition<Base> = {
    name: "hasty",
    open: async ({ restart }) => ({
      async start() {
        restart();
        order.push("asked");
      },
      async close() {
        order.push("closed");
      },
    }),
  };
  const { close } = await openAssistant({ model: scriptedModel([]), rooms: [hasty] });
  order.push("started");
  await close();
  expect(order).toEqual(["asked", "started", "closed"]);
});
