import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { openAssistant } from "../scenes/assistant.ts";
import { eventually } from "../scenes/eventually.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { canMount, smallDisk } from "../scenes/small-disk.ts";
import { runSteward, startModelProcess, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const well = async (home: string) => (await checkStore(home)).filter((finding) => !finding.ok);

if (canMount) {
  test("a full disk refuses the next message in a sentence, keeps all earlier ones, and goes on when there is room", async () => {
    const disk = await smallDisk(3_000);
    const assistant = await openAssistant({ home: disk.folder, model: scriptedModel([{ text: "yes" }]) });
    await assistant.say("before");
    await assistant.until("turn.finished");
    disk.fill();
    const refused = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        assistant.say(`during ${n} ${"x".repeat(20_000)}`).catch((cause) => String(cause)),
      ),
    );
    const acknowledged = refused.filter((answer) => typeof answer !== "string").length;
    expect(refused.filter((answer) => typeof answer === "string")).toContainEqual(
      expect.stringContaining("The disk is full"),
    );
    disk.free();
    await assistant.say("after");
    await assistant.until("turn.finished", 2);
    const messages = (await assistant.events()).filter((event) => event.type === "message.received");
    expect(messages).toHaveLength(2 + acknowledged);
    await assistant.close(1_000);
    expect(await well(disk.folder)).toEqual([]);
  });

  test("a turn that meets a full disk half-way is finished when there is room again", async () => {
    const disk = await smallDisk(3_000);
    let isFull = false;
    const model = scriptedModel(() => {
      if (!isFull) disk.fill();
      isFull = true;
      return { text: `answer ${"y".repeat(50_000)}` };
    });
    const assistant = await openAssistant({ home: disk.folder, model });
    await assistant.say("hello");
    await eventually(() => assistant.troubles.length > 0);
    disk.free();
    await assistant.until("turn.finished");
    expect(await assistant.replies()).toHaveLength(1);
  });

  test("a read-only home is said in one sentence that names it, and nothing starts half", async () => {
    const disk = await smallDisk(3_000);
    disk.makeReadOnly();
    const ran = await runSteward({ home: disk.folder, args: ["ask", "hello"] });
    expect([ran.code, ran.output]).toEqual([1, ""]);
    expect(ran.errors).toContain(disk.folder);
    expect(ran.errors).not.toMatch(/\n\s+at /);
  });

  test("a home that becomes read-only later is said in a sentence too", async () => {
    const disk = await smallDisk(4_000);
    await runSteward({ home: disk.folder, args: ["ask", "hello"] });
    disk.makeReadOnly();
    const ran = await runSteward({ home: disk.folder, args: ["ask", "hello"] });
    expect([ran.code, ran.errors.trim().split("\n").length]).toEqual([1, 1]);
    expect(ran.errors).toMatch(/read-only|cannot be/);
  });
}

test("a damaged database is said in a sentence that names the cure, and the cure brings every message back", async () => {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(home, model.port);
  const lines = Array.from({ length: 60 }, (_, n) => `message number ${n} ${"z".repeat(300)}`).join("\n");
  await runSteward({ home, args: ["chat", "--plain"], input: `${lines}\n` });
  const path = join(home, "data", "steward.db");
  const bytes = await readFile(path);
  for (const text of ["message number 20 ", "message number 59 "]) {
    const at = bytes.indexOf(text);
    bytes.fill(0xee, at - (at % 4096), at - (at % 4096) + 4096);
  }
  await writeFile(path, bytes);
  const doctor = await runSteward({ home, args: ["doctor"] });
  expect([doctor.code, doctor.output]).toEqual([1, expect.stringContaining("steward doctor --repair")]);
  const repair = await runSteward({ home, args: ["doctor", "--repair"] });
  expect(repair.output).toContain("nothing is missing");
  const ran = await runSteward({ home, args: ["ask", "still there?"] });
  expect(ran.output).toContain("echo: still there?");
  const after = await runSteward({ home, args: ["doctor"] });
  expect([after.code, after.output]).toEqual([0, expect.stringContaining("Everything looks well.")]);
});

test("a clock that jumps forward and back loses nothing and confuses nobody", async () => {
  const home = await temporaryFolder();
  let nowMs = Date.parse("2026-11-15T12:00:00Z");
  const assistant = await openAssistant({ home, model: scriptedModel([{ text: "tick" }]), nowMs: () => nowMs });
  for (const [index, jump] of [0, 400 * 86_400_000, -800 * 86_400_000, 3_600_000].entries()) {
    nowMs += jump;
    await assistant.say(`message ${index}`);
    await assistant.until("turn.finished", index + 1);
  }
  expect(await assistant.replies()).toEqual(["tick", "tick", "tick", "tick"]);
  await assistant.close(1_000);
  expect(await well(home)).toEqual([]);
  const again = await openAssistant({
    home,
    model: scriptedModel([{ text: "tock" }]),
    nowMs: () => nowMs - 86_400_000,
  });
  await again.say("after the restart");
  await again.until("turn.finished", 5);
  await again.close(1_000);
  expect(await well(home)).toEqual([]);
});

test("garbage in the settings is said with its place, and nothing starts", async () => {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), '{ "agent": { "modle": "x" } }');
  const ran = await runSteward({ home, args: ["ask", "hello"] });
  expect([ran.code, ran.errors]).toEqual([
    1,
    expect.stringContaining("agent.modle is not a setting; did you mean agent.model?"),
  ]);
});
