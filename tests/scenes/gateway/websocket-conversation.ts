// A model on the wire, a tool that asks first, and what a plain client does to talk with them over the WebSocket.
import { onTestFinished } from "vitest";
import { z } from "zod";
import { serveMethods } from "../../../src/contract/room/room-methods.ts";
import { defineTool, textResult } from "../../../src/contract/tool.ts";
import type { FakeModelServerOptions } from "../../fakes/model/fake-model-server.ts";
import type { Frame, PlainClient } from "../../fakes/plain-ws-client.ts";
import { openModelScene } from "../models/model-scene.ts";
import { openWebSocketScene } from "./websocket-scene.ts";

/** Changes the world, so it asks, and tells how far it is. */
const sweep = defineTool({
  name: "sweep",
  description: "Sweeps a room.",
  arguments: z.strictObject({ room: z.string() }),
  result: textResult,
  effects: ["changes"],
  class: "idempotent",
  undo: { kind: "nothing to undo" },
  formatApproval: ({ room }) => `sweep the ${room}`,
  async run({ progress }, { room }) {
    progress("half of it is clean");
    return { outcome: "done", output: `the ${room} is clean` };
  },
});

export const sweeps = { toolCalls: [{ name: "sweep", arguments: { room: "kitchen" } }] };

type SceneOptions = Partial<Parameters<typeof openWebSocketScene>[0]>;

export async function sceneWith(answers: FakeModelServerOptions["answers"], options: SceneOptions = {}) {
  const model = await openModelScene({ answers });
  onTestFinished(() => model.close());
  const scene = await openWebSocketScene({ model: model.models, tools: [sweep], ...options });
  return { ...scene, requests: model.server.requests };
}

export async function newSession(client: PlainClient): Promise<string> {
  return String((await client.ask("sessions.create", { channel: "web" })).result?.sessionKey);
}

export async function sendTo(client: PlainClient, sessionKey: string, message: string): Promise<string> {
  return String((await client.ask("chat.send", { sessionKey, message })).result?.runId);
}

export const ended = (runId: string) => (frames: readonly Frame[]) =>
  frames.find(({ event, data }) => (event === "chat.final" || event === "chat.error") && data?.runId === runId);

export const pushedOnce = (event: string) => (frames: readonly Frame[]) =>
  frames.find((frame) => frame.event === event)?.data;

export const methods = serveMethods(
  { "sessions.list": { scopes: [], params: z.unknown(), result: z.unknown() } },
  { "sessions.list": async () => ({}) },
);
