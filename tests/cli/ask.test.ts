import { expect, test } from "vitest";
import { z } from "zod";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import type { FakeAnswer } from "../fakes/model/model-answer.ts";
import { ended, runSteward, spawnSteward, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

async function homeWith(answer: (said: string) => FakeAnswer, models = ["fake-model"]) {
  const home = await temporaryFolder();
  const server = await startFakeModelServer({ answers: ({ lastUserText }) => answer(lastUserText), models });
  await writeSettings(home, server.port);
  return { home, server };
}

const echo = (said: string): FakeAnswer => ({ text: `echo: ${said}` });

test("a file that is piped in is read by the model behind the question, and counts as text of others", async () => {
  const { home, server } = await homeWith(echo);
  const { code, output } = await runSteward({ home, args: ["ask", "What is wrong?"], input: "disk full\n" });
  const [request] = server.requests;
  const sent = JSON.stringify(request?.body);
  expect(sent).toMatch(/What is wrong\?.*<file name=\\"input\.txt\\">\\ndisk full/);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("echo: ") });
  const asked = await runSteward({ home, args: ["ask", "--json"], input: "What is wrong now?\n" });
  expect(JSON.parse(asked.output)).toMatchObject({
    sessionKey: "terminal--default",
    ending: "answered",
    model: "fake/fake-model",
    answer: "echo: What is wrong now?",
    approvals: [],
    notes: [],
  });
});

test("an input that stays open and says nothing does not keep a question waiting", async () => {
  const { home } = await homeWith(echo);
  const child = spawnSteward({ home, args: ["ask", "hello"] });
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (data) => {
    output += data;
  });
  child.stderr?.on("data", (data) => {
    errors += data;
  });
  expect(await ended(child)).toBe(0);
  expect({ output, errors }).toEqual({
    output: "echo: hello\n",
    errors: expect.stringContaining("Nothing came in on the input for 3 s"),
  });
});

test("one question goes to another model, and a name that there is not is told with the one that was meant", async () => {
  const { home, server } = await homeWith(echo);
  await writeSettings(home, server.port, {
    agent: { model: "fake/fake-model", fallbackModels: ["fake/other"] },
  });
  const other = await runSteward({ home, args: ["ask", "--model", "fake/other", "--json", "hi"] });
  expect(JSON.parse(other.output).model).toBe("fake/other");
  const usual = await runSteward({ home, args: ["ask", "--json", "hi again"] });
  expect(JSON.parse(usual.output).model).toBe("fake/fake-model");
  expect(await runSteward({ home, args: ["ask", "--model", "fake/fake-modle", "hi"] })).toEqual({
    code: 1,
    output: "",
    errors: "There is no model “fake/fake-modle”. Did you mean fake/fake-model? List them: steward models\n",
  });
});

test.each([
  ["refuses the key", { fault: { kind: "status", status: 401 } } as const, "no_model", "fake refuses the key (401"],
  ["is broken", { fault: { kind: "status", status: 500 } } as const, "no_model", "500"],
  ["knows no such model", { fault: { kind: "status", status: 404 } } as const, "unavailable", "404"],
  ["will not answer", { text: "No.", finish: "refused" } as const, "refused", "would not answer"],
])("a model that %s ends with 1 and one line that says so", async (_what, answer, errorCode, words) => {
  const { home } = await homeWith(() => answer);
  const environment = { STEWARD_MODELS_MAX_ATTEMPTS: "1" };
  const told = await runSteward({ home, args: ["ask", "what is love"], environment });
  expect(told.code).toBe(1);
  expect(told.errors).toMatch(/^[^\n]+\n$/);
  expect(told.errors).toContain(words);
  const { code, errors, output } = await runSteward({ home, args: ["ask", "--json", "what is love"], environment });
  const Told = z.object({ error: z.object({ code: z.literal(errorCode), message: z.string() }) });
  expect(Told.parse(JSON.parse(errors)).error.message).toContain(words);
  expect({ code, sessionKey: JSON.parse(output).sessionKey }).toEqual({ code: 1, sessionKey: "terminal--default" });
});
