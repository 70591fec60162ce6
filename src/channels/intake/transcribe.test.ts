import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { transcribe } from "./transcribe.ts";

const { signal: open } = new AbortController();

test("what the program prints is what was said", async () => {
  expect(await transcribe(["sh", "-c", "echo hello"], open)).toBe("hello\n");
});

test("a program that fails or is not there is said so", async () => {
  await expect(transcribe(["sh", "-c", "exit 3"], open)).rejects.toThrow("sh ended with 3");
  await expect(transcribe(["no-such-program-of-steward"], open)).rejects.toThrow("ENOENT");
});

test("a program that passes over signals is ended in time, with whatever it has begun", async () => {
  const mark = `steward-transcribe-${process.pid}`;
  const script = `trap '' TERM; sh -c "trap '' TERM; sleep 600; : ${mark}" & sleep 600; : ${mark}`;
  await expect(transcribe(["sh", "-c", script], open, 300)).rejects.toThrow("took longer than 0.3 seconds");
  await eventually(() => commandsWith(mark), []);
});

test("a program that still listens when Steward ends is ended with it", async () => {
  const mark = `steward-transcribe-closing-${process.pid}`;
  const closing = new AbortController();
  const heard = transcribe(["sh", "-c", `sleep 600; : ${mark}`], closing.signal);
  await eventually(() => commandsWith(mark).length, 1);
  closing.abort();
  await expect(heard).rejects.toThrow("was stopped");
  await eventually(() => commandsWith(mark), []);
});

function commandsWith(mark: string): readonly string[] {
  const lines = readdirSync("/proc").map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      // no process, or one that has just ended
      return "";
    }
  });
  return lines.filter((line) => line.includes(mark));
}
