import { expect, test } from "vitest";
import type { Task } from "../../../src/gateway/rest/tasks/task.ts";
import { eventually } from "../../scenes/eventually.ts";
import { openRestScene, type RestScene } from "../../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";

const answers = (text: string) => scriptedModel([{ text }]);

async function begin(scene: RestScene, body: object, headers: Record<string, string> = {}): Promise<Task> {
  const { status, body: task } = await scene.send("POST", "/api/tasks", body, { headers });
  expect(status).toBe(202);
  return task as Task;
}

async function settled(scene: RestScene, id: string, state: string): Promise<Task> {
  const look = async () => (await scene.send("GET", `/api/tasks/${id}`)).body as Task;
  return eventually(look, expect.objectContaining({ state }));
}

test("any method can be called by HTTP, with the gateway's own refusals", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  expect(await scene.send("POST", "/api/call/models.list", {})).toMatchObject({
    status: 200,
    body: { chosen: "scripted/one" },
  });
  expect((await scene.send("POST", "/api/call/agents.list")).status).toBe(200);
  expect((await scene.send("POST", "/api/call/sessions.get", { sessionKey: 1 })).status).toBe(400);
  expect(await scene.send("POST", "/api/call/sessions.get", { sessionKey: "api--none" })).toMatchObject({
    status: 404,
    body: { error: { code: "not_found" } },
  });
  expect((await scene.send("POST", "/api/call/no.such", {})).status).toBe(404);
  const { token } = await scene.tokenFor("read");
  const headers = { authorization: `Bearer ${token}` };
  expect((await scene.send("POST", "/api/call/access.list", {}, { headers })).status).toBe(403);
  expect((await scene.send("POST", "/api/call/access.list", {}, { headers: { authorization: "" } })).status).toBe(401);
});

test("pictures are shown and everything else is saved, as the log says and never as the bytes do", async () => {
  const scene = await openRestScene({ model: answers("Nice.") });
  const upload = async (name: string, mediaType: string, content: string) => {
    await scene.send("POST", "/api/call/chat.send", {
      sessionKey: "api--files",
      message: "look",
      attachments: [{ name, mediaType, base64: Buffer.from(content).toString("base64") }],
    });
    const sent = (await scene.until("message.received")).at(-1)?.attachments[0];
    return scene.request(`/api/attachments/${sent?.sha256}`);
  };
  const picture = await upload("cat.png", "image/png", "not really a cat");
  expect(await picture.text()).toBe("not really a cat");
  expect(picture.headers.get("content-type")).toBe("image/png");
  expect(picture.headers.get("content-disposition")).toBe("inline; filename*=UTF-8''cat.png");
  expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
  expect(picture.headers.get("content-security-policy")).toContain("sandbox");
  expect(picture.headers.get("cache-control")).toContain("private");
  const page = await upload('../"\r\nX: y/ä;b.html', "text/html", "<script>alert(1)</script>");
  expect(page.headers.get("content-type")).toBe("application/octet-stream");
  expect(page.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''%C3%A4%3Bb.html");
  const drawing = await upload("x.svg", "image/svg+xml", "<svg/>");
  expect(drawing.headers.get("content-disposition")).toMatch(/^attachment/);
  expect((await scene.send("GET", `/api/attachments/${"0".repeat(64)}`)).status).toBe(404);
  expect((await scene.send("GET", "/api/attachments/..%2f..%2fsteward.db")).status).not.toBe(200);
  const { token } = await scene.tokenFor("task", "api--other");
  const hash = (await scene.until("message.received"))[0]?.attachments[0]?.sha256;
  const headers = { authorization: `Bearer ${token}` };
  expect((await scene.send("GET", `/api/attachments/${hash}`, undefined, { headers })).status).toBe(404);
});

test("anyone hears that the assistant lives, and nothing else about it", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const { status, body } = await scene.send("GET", "/health", undefined, { headers: { authorization: "" } });
  expect(status).toBe(200);
  expect(Object.keys(body as object).sort()).toEqual(["status", "uptime"]);
});

test("the figures count work, have help and types, and name no conversation", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const { id } = await begin(scene, { prompt: "hi", sessionKey: "api--private" });
  await settled(scene, id, "completed");
  const { body } = await scene.send("GET", "/metrics");
  const text = String(body);
  expect(text).toContain(
    '# TYPE steward_turns_finished_total counter\nsteward_turns_finished_total{ending="answered"} 1',
  );
  expect(text).toContain('steward_tokens_total{model="scripted/one",direction="read"} 10');
  expect(text).toContain('steward_http_requests_total{route="POST /api/tasks",status="202"} 1');
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toContain("private");
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$/);
});
