import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import type { FakeAnswer } from "../fakes/model/model-answer.ts";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

async function ask(...answers: readonly FakeAnswer[]) {
  const home = await temporaryFolder();
  const server = await startFakeModelServer({ answers });
  onTestFinished(() => server.close());
  const fake = { kind: "anthropic", baseUrl: `${server.url}/v1`, apiKeyEnv: "FAKE_KEY" };
  const models = { providers: { fake }, probeLocal: false, maxAttempts: 2 };
  await writeFile(join(home, "config.json"), JSON.stringify({ agent: { model: "fake/some-model" }, models }));
  const environment = { FAKE_KEY: "fake-key-for-tests" };
  const ran = await runSteward({ home, args: ["ask", "what is the time in Oslo?"], environment });
  const transcript = await readFile(join(home, "data", "sessions", "terminal--default.jsonl"), "utf8");
  const events: Record<string, unknown>[] = transcript
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { ...ran, failures: events.filter((event) => event.type === "model.failed"), events };
}

const status = (code: number, message: string): FakeAnswer => ({
  fault: { kind: "status", status: code, retryAfter: "0", message },
});

test.each([
  { code: 401, said: "invalid x-api-key", kind: "credentials", tries: 1, advice: /Check FAKE_KEY/ },
  { code: 500, said: "internal fault", kind: "overloaded", tries: 2, advice: /Try again later/ },
  { code: 400, said: "no such model", kind: "bad_request", tries: 1, advice: /Check the name of the model/ },
])("a model that answers $code leaves its cause in the log and one line with what to do", async (row) => {
  const { code, errors, output, failures } = await ask(status(row.code, row.said), status(row.code, row.said));
  expect(code).toBe(1);
  const told = `${errors}${output}`.split("\n").filter((line) => line.includes(row.said));
  expect(told).toEqual([expect.stringMatching(row.advice)]);
  expect(failures).toMatchObject(
    Array.from({ length: row.tries }, (_, index) => ({
      ...{ model: "fake/some-model", kind: row.kind, attempt: index + 1 },
      reason: expect.stringContaining(`${row.code}: ${row.said}`),
    })),
  );
});

test("a model that answers after a fault is not complained about, and the fault stays in the log", async () => {
  const { code, output, errors, failures } = await ask(status(500, "internal fault"), { text: "It is nine." });
  expect([code, output, errors]).toEqual([0, "It is nine.\n", ""]);
  expect(failures).toMatchObject([{ kind: "overloaded", attempt: 1 }]);
});

test("a model that refuses is told as such, and the turn ends so", async () => {
  const { code, output, errors, events } = await ask({ text: "", finish: "refused" });
  expect([code, `${output}${errors}`]).toEqual([1, expect.stringMatching(/would not answer.*choose another model/)]);
  expect(events.find(({ type }) => type === "turn.finished")).toMatchObject({ ending: "refused" });
});
