import { expect, test } from "vitest";
import type { CheckFolder } from "../../contract/channel/given-folder.ts";
import { GroupOptions } from "../../contract/channel/group.ts";
import { settleFolders } from "./settle-folders.ts";

const real: Readonly<Record<string, string>> = {
  "/srv/link": "/srv/photos",
  "/srv/photos": "/srv/photos",
  "~/a": "/a",
};
const check: CheckFolder = (path) => {
  const found = real[path];
  return found === undefined ? { kind: "denied", reason: `${path} is not here.` } : { kind: "allowed", path: found };
};
const withFolders = (...additionalMounts: unknown[]) => GroupOptions.parse({ sandbox: { additionalMounts } });
const pathsOf = ({ sandbox }: GroupOptions) => sandbox.additionalMounts.map(({ hostPath }) => hostPath);

test("folders are stored by their real paths", () => {
  const options = withFolders({ hostPath: "/srv/link" }, { hostPath: "~/a" });
  expect(pathsOf(settleFolders(check, options))).toEqual(["/srv/photos", "/a"]);
});

test("a folder that may not be given is refused with the reason", () => {
  expect(() => settleFolders(check, withFolders({ hostPath: "/gone" }))).toThrow("/gone is not here.");
});

test("one that the group has already is neither looked at again nor led elsewhere", () => {
  const before = withFolders({ hostPath: "/gone" }, { hostPath: "/srv/link" });
  const options = withFolders({ hostPath: "/gone", readonly: false }, { hostPath: "/srv/link" }, { hostPath: "~/a" });
  expect(pathsOf(settleFolders(check, options, before))).toEqual(["/gone", "/srv/link", "/a"]);
});

test.each([
  [{ hostPath: "/srv/photos" }, { hostPath: "/srv/link" }],
  [{ hostPath: "/srv/photos", containerPath: "a" }, { hostPath: "~/a" }],
  [{ hostPath: "/srv/photos", containerPath: "a/b" }, { hostPath: "~/a" }],
])("two folders do not lie at one place, nor one in the other: %j, %j", (one, other) => {
  const between = { hostPath: "/srv/photos", containerPath: "a-b" };
  expect(() => settleFolders(check, withFolders(one, between, other))).toThrow(
    /^Two folders would lie at \/workspace\/extra\//,
  );
});
