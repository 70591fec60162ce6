import { afterEach, describe, expect, test } from "vitest";
import type { ModelEvent } from "../../src/contract/model.ts";
import {
  collect,
  type ModelScene,
  makeRequest,
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

async function eventually(isTrue: () => boolean | undefined): Promise<void> {
  for (let left = 100; left > 0 && !isTrue(); left -= 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isTrue()).toBe(true);
}

const stopped = { type: "unavailable", kind: "aborted", message: "The request was stopped." };

describe.each(protocols)("over %s", (protocol) => {
  test("a stop in mid-stream ends within 100 ms, closes the connection and asks nobody else", async () => {
    const scene = await open({
      protocol,
      answers: [{ text: "a b c d e f g h i j k l m n o p", delayPerPieceMs: 100 }],
    });
    const stop = new AbortController();
    const events: ModelEvent[] = [];
    let stoppedAtMs = 0;
    const request = makeRequest(protocol, { signal: stop.signal });
    for await (const event of scene.models.stream(request)) {
      events.push(event);
      if (events.length === 2) {
        setTimeout(() => {
          stoppedAtMs = performance.now();
          stop.abort();
        }, 20);
      }
    }
    expect(performance.now() - stoppedAtMs).toBeLessThan(100);
    expect(events.at(-1)).toEqual(stopped);
    await eventually(() => scene.server.requests[0]?.closedByClient);
    expect([scene.server.requests.length, scene.offlineRequests.length]).toEqual([1, 0]);
  });

  test("a stop before the server has said anything ends within 100 ms", async () => {
    const scene = await open({ protocol, answers: [{ fault: { kind: "silence" } }] });
    const stop = new AbortController();
    const asked = scene.ask({ signal: stop.signal });
    await eventually(() => scene.server.requests.length === 1);
    const stoppedAtMs = performance.now();
    stop.abort();
    expect(await asked).toEqual([stopped]);
    expect(performance.now() - stoppedAtMs).toBeLessThan(100);
  });

  test("a stop during the wait before a new attempt ends within 100 ms", async () => {
    const scene = await open({
      protocol,
      waits: true,
      answers: [{ fault: { kind: "status", status: 429, retryAfter: "30" } }],
    });
    const stop = new AbortController();
    const asked = scene.ask({ signal: stop.signal });
    await eventually(() => scene.waits.length === 1);
    const stoppedAtMs = performance.now();
    stop.abort();
    expect((await asked).at(-1)).toEqual(stopped);
    expect(performance.now() - stoppedAtMs).toBeLessThan(100);
  });

  test("a reader that leaves in mid-stream closes the connection", async () => {
    const scene = await open({ protocol, answers: [{ text: "a b c d e f g h", delayPerPieceMs: 100 }] });
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
