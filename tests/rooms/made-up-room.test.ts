// One made-up room that offers everything a room can offer, in the program's own assembly, with nothing else changed.
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Base } from "../../src/assistant.ts";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { connectLocal } from "../../src/cli/local-client.ts";
import type { NewEvent } from "../../src/contract/event.ts";
import { prepareRooms } from "../../src/contract/room/open-rooms.ts";
import type { RoomDefinition } from "../../src/contract/room/room.ts";
import { serveMethods } from "../../src/contract/room/room-methods.ts";
import { defineRoute } from "../../src/contract/room/route.ts";
import type { Followed, GatewayClient } from "../../src/contract/wire/client.ts";
import { localSocketRoom } from "../../src/gateway/local-socket-room.ts";
import { forgetRoom } from "../../src/tools/forget/forget-room.ts";
import { readEvents } from "../fakes/event-source.ts";
import { connectPlain } from "../fakes/plain-ws-client.ts";
import { commandLineDeps, startFakeConsole } from "../scenes/cli/fake-console.ts";
import { startFakeGateway } from "../scenes/cli/fake-gateway-client.ts";
import { eventually } from "../scenes/eventually.ts";
import { openRestScene } from "../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { testTool } from "../scenes/tools.ts";

const conversation = "weather--garden";
const methods = {
  "weather.measure": {
    scopes: ["read"],
    params: z.strictObject({ place: z.string() }),
    result: z.object({ degrees: z.number() }),
  },
} as const;

/** The event kind is the room's own: no other file knows it. */
function measured(place: string): NewEvent {
  return { type: "weather.measured", conversation, place, degrees: 21 } as unknown as NewEvent;
}

function weatherRoom() {
  const sent: string[] = [];
  const steps: string[] = [];
  const room: RoomDefinition<Base> = {
    name: "weather",
    commands: [
      {
        name: "weather",
        summary: "Say how warm it is",
        async run(_input, { console }) {
          console.output.write("21 degrees\n");
          return 0;
        },
      },
    ],
    checks: async () => [{ ok: true, name: "weather", detail: "the sun shines" }],
    async open({ store, receive }) {
      return {
        tools: async () => [testTool({ name: "look_outside" })],
        methods: serveMethods(methods, {
          async "weather.measure"(_caller, { place }) {
            await store.log.append([measured(place)]);
            return { degrees: 21 };
          },
        }),
        routes: async () => [
          defineRoute({
            method: "GET",
            path: "/api/weather",
            summary: "How warm it is.",
            scopes: ["read"],
            responses: { 200: { description: "Measured.", schema: z.object({ degrees: z.number() }) } },
            answer: async () => ({ status: 200, body: { degrees: 21 } }),
          }),
        ],
        senders: {
          weather: {
            pieces: async () => 1,
            dropsRepeats: true,
            async send(reply) {
              sent.push(reply.text);
              return { ref: "1" };
            },
          },
        },
        promptParts: async ({ channel }) => [{ text: `The weather is nice by ${channel}.`, stable: false }],
        status: async () => ({ weather: "nice" }),
        async start() {
          steps.push("started");
          await receive({
            conversation,
            channel: "weather",
            sender: { kind: "owner", id: "owner" },
            text: "How is the garden?",
            attachments: [],
          });
        },
        forget: async (key) => void steps.push(`forgot ${key}`),
        close: async () => void steps.push("closed"),
      };
    },
  };
  return { room, sent, steps };
}

async function scene() {
  const weather = weatherRoom();
  const model = scriptedModel([
    { text: "", calls: [{ tool: "look_outside", arguments: { value: "x" } }] },
    { text: "It is warm." },
  ]);
  const assistant = await openRestScene({ model, rooms: [weather.room, forgetRoom, localSocketRoom] });
  return { ...weather, ...assistant, model };
}

test("it forgets a conversation that is deleted", async () => {
  const { until, call, steps } = await scene();
  await until("turn.finished");
  await call("sessions.delete", { sessionKey: conversation });
  await until("conversation.forgotten");
  expect(steps).toEqual(["started", `forgot ${conversation}`]);
});

test("its message is answered with its tool and its words in the prompt, and its sender delivers the reply", async () => {
  const { until, model, sent } = await scene();
  await until("reply.delivered");
  const [first] = model.requests;
  expect(first?.tools.map((tool) => tool.name)).toEqual(["look_outside"]);
  expect(first?.system.map((part) => part.text).join("\n")).toContain("The weather is nice by weather.");
  expect(await until("tool.returned")).toMatchObject([{ tool: "look_outside", output: "noted x" }]);
  expect(sent).toEqual(["It is warm."]);
});

test("its method and its event reach the terminal's own connection", async () => {
  const { home, store } = await scene();
  const client = (await connectLocal(join(home, "local.sock"))) as GatewayClient;
  const seen: Followed[] = [];
  client.follow(store.log.lastSeq(), (followed) => seen.push(followed));
  const call = client.call as (name: string, params: unknown) => Promise<unknown>;
  expect(await call("weather.measure", { place: "garden" })).toEqual({ degrees: 21 });
  await eventually(() => seen.some((followed) => followed.type === ("weather.measured" as never)));
  const { messages } = await client.call("chat.history", { sessionKey: conversation });
  expect(messages.length).toBeGreaterThan(0);
  await client.close();
});

test("its method and its event reach a WebSocket client", async () => {
  const { port, token } = await scene();
  const client = await connectPlain(`ws://127.0.0.1:${port}/ws`);
  await client.signIn(token, { events: "none" });
  await client.ask("events.follow", { since: 0 });
  expect((await client.ask("weather.measure", { place: "garden" })).result).toEqual({ degrees: 21 });
  const told = await client.until((frames) =>
    frames.find(({ data }) => data?.type === "weather.measured" || JSON.stringify(data)?.includes("weather.measured")),
  );
  expect(JSON.stringify(told)).toContain('"garden"');
});

test("its method, its route and its event reach a program by HTTP, and the document describes both", async () => {
  const { send, request } = await scene();
  expect((await send("POST", "/api/call/weather.measure", { place: "garden" })).body).toEqual({ degrees: 21 });
  expect((await send("GET", "/api/weather")).body).toEqual({ degrees: 21 });
  const { paths } = (await send("GET", "/openapi.json")).body as { paths: Record<string, unknown> };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/api/weather", "/api/call/weather.measure"]));
  const stream = readEvents(await request("/api/events?lastEventId=0"));
  await stream.until((events) => events.some(({ data }) => JSON.stringify(data).includes("weather.measured")));
  await stream.stop();
});

test("its command stands among the others, and its check and its status are told", async () => {
  const { room, call } = await scene();
  const terminal = startFakeConsole();
  const gateway = startFakeGateway();
  const deps = commandLineDeps(gateway, terminal.console, { commands: room.commands ?? [] });
  expect(await runCommandLine(deps, ["weather"])).toBe(0);
  expect(terminal.output()).toBe("21 degrees\n");
  expect(await room.checks?.({} as never)).toMatchObject([{ name: "weather" }]);
  expect(await call("health.check", {})).toMatchObject({ weather: "nice" });
});

test("it is started after it was opened and closed with the rest", async () => {
  const { steps, close } = await scene();
  await close();
  expect(steps).toEqual(["started", "closed"]);
});

test("rooms are closed in reverse order, also when opening fails half-way, and a room that cannot close holds up nobody", async () => {
  const steps: string[] = [];
  const troubles: string[] = [];
  const closing = (name: string, close: () => Promise<void>) => ({ name, open: async () => ({ close }) });
  const rooms = prepareRooms({ trouble: (message) => troubles.push(message), note() {} });
  const opening = rooms.open(
    [
      closing("first", async () => void steps.push("first")),
      closing("second", () => Promise.reject(new Error("stuck"))),
      closing("third", async () => void steps.push("third")),
      { name: "fourth", open: () => Promise.reject(new Error("no room")) },
    ],
    {},
  );
  await expect(opening).rejects.toThrow("no room");
  expect([steps, troubles]).toEqual([["third", "first"], ["The room second could not be closed."]]);
});

test("a name that two rooms offer is said at once", async () => {
  const rooms = prepareRooms({ trouble() {}, note() {} });
  const letter = { pieces: async () => 1, dropsRepeats: true, send: async () => ({ ref: "1" }) };
  const list = ["mail", "post"].map((name) => ({ name, open: async () => ({ senders: { letter } }) }));
  await expect(rooms.open(list, {})).rejects.toThrow("The sender letter is offered twice, by mail and by post.");
});
