import { afterEach, describe, expect, test } from "vitest";
import type { ModelEvent } from "../../src/contract/model.ts";
import { eventually } from "../scenes/eventually.ts";
import {
  collect,
  type ModelScene,
  makeRequest,
  modelOf,
  openModelScene,
  protocols,
  type SceneOptions,
} from "../scenes/models/model-scene.ts";

const scenes: ModelScene[] = [];
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.close()));
});

async function open(options: SceneOptions): Promise<ModelScene> {
  const scene = await openModelScene(options);
  scenes.push(scene);
  return scene;
}

const stopped = { type: "unavailable", kind: "aborted", message: "The request was stopped." };

describe.each(protocols)("over %s", (protocol) => {
  test("a stop in mid-stream ends the answer, closes the connection and asks nobody else", async () => {
    const scene = await open({ protocol, answers: [{ text: "a b c d", fault: { kind: "hang", afterPieces: 2 } }] });
    const stop = new AbortController();
    const events: ModelEvent[] = [];
    const request = makeRequest(protocol, { signal: stop.signal });
    for await (const event of scene.models.stream(request)) {
      events.push(event);
      if (events.length === 2) setTimeout(() => stop.abort(), 20);
    }
    const spent = { model: modelOf[protocol], usage: { inputTokens: 4, outputTokens: 1 } };
    expect(events.at(-1)).toMatchObject({ ...stopped, spent });
    await eventually(() => scene.server.requests[0]?.closedByClient);
    expect([scene.server.requests.length, scene.offlineRequests.length]).toEqual([1, 0]);
  });

  test("a stop before the server has said anything ends the request", async () => {
    const scene = await open({ protocol, answers: [{ fault: { kind: "silence" } }] });
    const stop = new AbortController();
    const asked = scene.ask({ signal: stop.signal });
    await eventually(() => scene.server.requests.length === 1);
    stop.abort();
    expect(await asked).toEqual([stopped]);
  });

  test("a stop during the wait before a new attempt ends the request", async () => {
    const scene = await open({
      protocol,
      waits: true,
      answers: [{ fault: { kind: "status", status: 429, retryAfter: "30" } }],
    });
    const stop = new AbortController();
    const asked = scene.ask({ signal: stop.signal });
    await eventually(() => scene.waits.length === 1);
    stop.abort();
    expect((await asked).at(-1)).toEqual(stopped);
  });

  test("a reader that leaves in mid-stream closes the connection", async () => {
    const scene = await open({ protocol, answers: [{ text: "a b c d", fault: { kind: "hang", afterPieces: 2 } }] });
    for await (const _ of scene.models.stream(makeRequest(protocol))) break;
    await eventually(() => scene.server.requests[0]?.closedByClient);
  });
});

test("a request that is stopped before it begins reaches no server", async () => {
  const scene = await open({ answers: [{ text: "never asked for" }] });
  expect(await scene.ask({ signal: AbortSignal.abort() })).toEqual([stopped]);
  expect(scene.server.requests).toEqual([]);
});

test("two hundred conversations at once all get their own answer", async () => {
  const scene = await open({ answers: (request) => ({ text: `echo ${request.lastUserText}`, delayPerPieceMs: 5 }) });
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const protocol = protocols[at % 3] ?? "chat";
      const messages = [{ role: "user", content: [{ type: "text", text: `n${at}` }] }] as const;
      const last = (await collect(scene.models.stream(makeRequest(protocol, { messages })))).at(-1);
      return last?.type === "final" ? last.text : JSON.stringify(last);
    }),
  );
  expect(answers).toEqual(Array.from({ length: 200 }, (_, at) => `echo n${at}`));
});
