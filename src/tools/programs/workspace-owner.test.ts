import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { giveToOwner, type KnownFolders, ownerForCommands, sandboxUser } from "./workspace-owner.ts";

function scene() {
  const base = mkdtempSync(join(tmpdir(), "steward-owner-"));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const workspace = join(base, "workspace");
  mkdirSync(join(workspace, "deep", "deeper"), { recursive: true });
  writeFileSync(join(workspace, "deep", "deeper", "file"), "");
  writeFileSync(join(base, "outside"), "");
  return { base, workspace };
}

test("commands run as the workspace's owner, and never as root", () => {
  const { workspace } = scene();
  const { uid, gid } = statSync(workspace);
  expect(ownerForCommands(workspace)).toEqual(uid === 0 ? sandboxUser : { uid, gid });
});

// only root can give files away, and only root has to
if (process.getuid?.() === 0) {
  test("what root owns in the workspace is given to the user of the commands, at every depth", () => {
    const { workspace } = scene();
    giveToOwner(workspace, sandboxUser);
    for (const path of [workspace, join(workspace, "deep"), join(workspace, "deep/deeper/file")])
      expect(lstatSync(path)).toMatchObject(sandboxUser);
  });

  test("a link in the workspace is given, what it points to is not", () => {
    const { base, workspace } = scene();
    symlinkSync("../outside", join(workspace, "link"));
    symlinkSync("..", join(workspace, "up"));
    giveToOwner(workspace, sandboxUser);
    expect(lstatSync(join(workspace, "link")).uid).toBe(sandboxUser.uid);
    expect(statSync(join(base, "outside")).uid).toBe(0);
  });

  test("a file with a second name, perhaps outside, stays root's", () => {
    const { base, workspace } = scene();
    linkSync(join(base, "outside"), join(workspace, "second-name"));
    giveToOwner(workspace, sandboxUser);
    expect(statSync(join(base, "outside")).uid).toBe(0);
  });

  test("what comes into a folder that was looked at before is given as well", async () => {
    const { workspace } = scene();
    const known: KnownFolders = new Map();
    giveToOwner(workspace, sandboxUser, { known });
    expect(known.size).toBe(0);
    await setTimeout(1_050);
    giveToOwner(workspace, sandboxUser, { known });
    expect(known.size).toBe(3);
    writeFileSync(join(workspace, "deep/deeper/new"), "");
    mkdirSync(join(workspace, "deep/other"));
    writeFileSync(join(workspace, "deep/other/new"), "");
    giveToOwner(workspace, sandboxUser, { known });
    for (const path of ["deep/deeper/new", "deep/other", "deep/other/new"])
      expect(lstatSync(join(workspace, path))).toMatchObject(sandboxUser);
  });

  test("files of another user stay theirs", () => {
    const { workspace } = scene();
    chownSync(join(workspace, "deep/deeper/file"), 4242, 4242);
    giveToOwner(workspace, sandboxUser);
    expect(statSync(join(workspace, "deep/deeper/file")).uid).toBe(4242);
  });
}
