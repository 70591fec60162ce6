import { mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { allowedDirs } from "./allowed-dirs.ts";

test("what commands may not see, file tools may not open either", async () => {
  const userHome = await realpath(await temporaryFolder());
  const stewardHome = join(userHome, ".steward");
  const workspace = join(stewardHome, "workspace");
  for (const folder of [workspace, join(userHome, "books"), join(userHome, ".ssh")])
    await mkdir(folder, { recursive: true });
  await symlink(join(userHome, "books"), join(userHome, "link"));
  await symlink(stewardHome, join(userHome, "innocent"));
  const refused = [userHome, "/", "/etc", "~/.ssh", stewardHome, "~/innocent", workspace, join(userHome, "missing")];
  const { extraDirs, refusals } = allowedDirs({ stewardHome, userHome }, workspace, {
    readDirs: ["~/books", join(userHome, "link"), ...refused],
    writeDirs: [...refused],
  });
  expect(extraDirs).toEqual({ readDirs: Array(2).fill(join(userHome, "books")), writeDirs: [] });
  expect(refusals).toHaveLength(2 * refused.length);
  expect(refusals[0]).toMatch(/^sandbox\.readDirs is not all in force: .*whole home folder/);
});
