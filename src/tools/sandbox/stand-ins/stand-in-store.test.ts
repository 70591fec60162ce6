import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStandInStore } from "./stand-in-store.ts";
import { openStandIns } from "./stand-ins.ts";

function scene() {
  const base = mkdtempSync(join(tmpdir(), "steward-store-"));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const workspace = join(base, "workspace");
  mkdirSync(join(workspace, ".git"), { recursive: true });
  return { base, workspace, held: join(base, "home", "held") };
}

const numberOf = (path: string) => statSync(path).ino;

test("the same stand-ins come back with every command, and are gone between", () => {
  const { workspace, held } = scene();
  const standIns = openStandIns(openStandInStore(held));
  const names = [".npmrc", "skills", ".git/commondir", ".git/hooks"].map((name) => join(workspace, name));
  standIns.place(workspace);
  const first = names.map(numberOf);
  standIns.release(workspace);
  expect([readdirSync(workspace), readdirSync(join(workspace, ".git"))]).toEqual([[".git"], []]);
  standIns.place(workspace);
  expect(names.map(numberOf)).toEqual(first);
  standIns.release(workspace);
});

test("a file that the owner made meanwhile is not touched", () => {
  const { workspace, held } = scene();
  const standIns = openStandIns(openStandInStore(held));
  standIns.place(workspace);
  standIns.release(workspace);
  writeFileSync(join(workspace, "AGENTS.md"), "my rules");
  standIns.place(workspace);
  standIns.release(workspace);
  expect(readFileSync(join(workspace, "AGENTS.md"), "utf8")).toBe("my rules");
});

test("where nothing can be kept, stand-ins are made anew and go as before", () => {
  const { base, workspace } = scene();
  writeFileSync(join(base, "file"), "");
  const store = openStandInStore(join(base, "file", "held"));
  expect(store.keepsFor(workspace)).toBe(false);
  const standIns = openStandIns(store);
  standIns.place(workspace);
  expect(readdirSync(workspace)).toContain("skills");
  standIns.release(workspace);
  expect(readdirSync(workspace)).toEqual([".git"]);
});

test("what a Steward that is gone had kept is removed, and that of a living one stays", () => {
  const { workspace, held } = scene();
  const gone = join(held, "4194999-abc");
  const living = join(held, `${process.ppid}-abc`);
  for (const folder of [gone, living]) mkdirSync(join(folder, "w-1"), { recursive: true });
  expect(openStandInStore(held).keepsFor(workspace)).toBe(true);
  expect([existsSync(gone), existsSync(living)]).toEqual([false, true]);
});
