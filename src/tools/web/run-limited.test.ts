import { expect, test } from "vitest";
import { type LimitedRun, runLimited } from "./run-limited.ts";

function node(script: string, changes: Partial<LimitedRun> = {}) {
  return runLimited({
    program: process.execPath,
    args: ["-e", script],
    input: Buffer.from("input"),
    timeoutMs: 20_000,
    maxOutputBytes: 1000,
    signal: new AbortController().signal,
    ...changes,
  });
}

test("a program gets its input, and nothing of our environment", async () => {
  const end = await node("process.stdin.pipe(process.stdout); console.log(Object.keys(process.env).length)");
  expect(end.kind === "done" && end.output.toString()).toBe("0\ninput");
});

test("a program that never ends is ended", async () => {
  const end = await node("for (;;);", { timeoutMs: 300 });
  expect(end).toEqual({ kind: "failed", why: "time", detail: "it took too long" });
});

test("a program that passes over the wish to end is ended too", async () => {
  const end = await node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', { timeoutMs: 1_000 });
  expect(end).toMatchObject({ kind: "failed", why: "time" });
});

test("a program that never stops talking is cut short", async () => {
  const end = await node('for (;;) require("fs").writeSync(1, "x".repeat(100))');
  expect(end.kind === "done" && [end.output.length, end.isCut]).toEqual([1000, true]);
});

test("a stop ends it, also one that came before", async () => {
  const stopper = new AbortController();
  const running = node("setInterval(() => {}, 1000)", { signal: stopper.signal });
  setTimeout(() => stopper.abort(), 50);
  expect(await running).toMatchObject({ kind: "failed", why: "stopped" });
  expect(await node("", { signal: AbortSignal.abort() })).toMatchObject({ kind: "failed", why: "stopped" });
});

test("what went wrong is told: the program's own words, or how it ended", async () => {
  expect(await node('console.error("no such page"); process.exit(3)')).toMatchObject({ detail: "no such page" });
  expect(await node("process.exit(3)")).toMatchObject({ why: "broke", detail: "it ended with exit code 3" });
  expect(await node("", { program: "/no/such/program" })).toMatchObject({
    why: "broke",
    detail: "spawn /no/such/program ENOENT",
  });
});
