import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bytePath } from "./byte-path.ts";
import { fileId } from "./file-id.ts";
import type { FoundName } from "./name-index.ts";
import { openSweptWorkspace } from "./swept-workspace.ts";

const noRecord = { left: () => undefined, use: () => {}, putAway: () => {} };

/** A workspace in which every look finds what the test says. */
function scene(look: () => Promise<readonly FoundName[]>, folder = "set-aside") {
  const base = mkdtempSync(join(tmpdir(), "steward-swept-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  const at = (path: string) => join(workspace, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const found = (path: string, change: Partial<FoundName> = {}): FoundName => {
    const id = fileId(statSync(at(path)));
    const told = { role: "obeyed", kind: "file", folder: dirname(path), isEmpty: false } as const;
    return { path: bytePath(path), id, ...told, ...change };
  };
  const swept = openSweptWorkspace({ workspace, look, folder: join(base, folder), record: noRecord, onKeys: () => {} });
  return { swept, at, write, found };
}

test("a look that takes long is not joined by another with every second", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answer = Promise.withResolvers<readonly FoundName[]>();
  let looks = 0;
  const { swept } = scene(() => {
    looks += 1;
    return answer.promise;
  });
  const command = swept.begin();
  await vi.advanceTimersByTimeAsync(10_000);
  answer.resolve([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toBe(1);
  await command.sweep();
  command.leave();
});

test("what was harmless is read again, since it may change without a trace", async () => {
  let found: readonly FoundName[] = [];
  const stage = scene(async () => found);
  stage.swept.begin();
  const command = stage.swept.begin();
  stage.write("p/.git/config", "[user]\n\tname = x\n");
  found = [stage.found("p/.git/config")];
  await command.sweep();
  stage.write("p/.git/config", "[core]\n\tfsmonitor = x\n");
  await stage.swept.find();
  expect(existsSync(stage.at("p/.git/config"))).toBe(false);
});

test("what was seen before another command's things were moved does not become the owner's", async () => {
  const answers: PromiseWithResolvers<readonly FoundName[]>[] = [];
  const stage = scene(() => {
    const answer = Promise.withResolvers<readonly FoundName[]>();
    answers.push(answer);
    return answer.promise;
  });
  const answerNext = async (found: readonly FoundName[]) => {
    await vi.waitUntil(() => answers.length > 0);
    answers.shift()?.resolve(found);
  };
  stage.write("p/.npmrc", "x");
  const made = stage.found("p/.npmrc");
  const command = stage.swept.begin();
  // a second command looks while the first one ends
  const finding = stage.swept.find();
  await answerNext([]);
  await vi.waitUntil(() => answers.length > 0);
  const ending = command.sweep();
  await answerNext([made]);
  await answerNext([made]);
  await Promise.all([finding, ending]);
  command.leave();
  stage.write("p/.npmrc", "once more");
  const again = stage.swept.begin();
  const sweeping = again.sweep();
  await answerNext([stage.found("p/.npmrc")]);
  await sweeping;
  expect(again.leave().join()).toContain("set aside");
});
