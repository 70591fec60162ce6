// A Steward with tasks and an HTTP server, and another program that calls its webhooks.
import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { PlannedTask } from "../../../src/contract/wire/methods/tasks.ts";
import { tasksRoom } from "../../../src/tasks/tasks-room.ts";
import { openRestScene, type RestScene, type RestSceneOptions } from "../gateway/rest-scene.ts";

export const nobody = { authorization: "" };

export function openTaskScene(options: RestSceneOptions): Promise<RestScene> {
  return openRestScene({ ...options, rooms: [...(options.rooms ?? []), tasksRoom] });
}

export type MadeHook = { task: PlannedTask; path: string; secret?: string };

/** `wish`: how the webhook is made; `choices`: the task's own. */
export async function makeHook(scene: RestScene, wish: object = {}, choices: object = {}): Promise<MadeHook> {
  const params = { prompt: "Tell me about orders.", trigger: { kind: "webhook", ...wish }, ...choices };
  const { status, body } = await scene.send("POST", "/api/call/tasks.createEventTrigger", params);
  expect([status, body]).toEqual([200, body]);
  return body as MadeHook;
}

export function signed(secret: string, body: string, { id = "msg_1", atMs = Date.now() } = {}): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { ...nobody, "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

export async function knock(
  scene: RestScene,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = nobody,
) {
  const response = await scene.request(path, { method: "POST", body: new Uint8Array(Buffer.from(body)), headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as { id?: string } };
}
