import { expect, test } from "vitest";
import { groupOptions } from "../../../../tests/scenes/page/shown-channel.ts";
import { sandboxLines, triggerWords } from "./group-words.ts";

const usual = groupOptions();
const sandboxed = (more: Partial<typeof usual.sandbox>) =>
  sandboxLines({ sandbox: { ...usual.sandbox, ...more } }).join(". ");

test("when a group is answered is said with its own word", () => {
  expect(triggerWords(usual)).toBe("Answers when it is called by its name");
  expect(triggerWords({ trigger: "hey steward", needsTrigger: true })).toContain("“hey steward”");
  expect(triggerWords({ trigger: "hey steward", needsTrigger: false })).toBe("Answers every message");
});

test("a group that nobody has opened anything for reaches no network and sees its folder only", () => {
  expect(sandboxLines(usual)).toEqual([
    "Its commands reach no network",
    "They see the group's folder only",
    "A command is ended after 30 min",
  ]);
});

test("what was opened for a group is named, and what it may change as well", () => {
  const additionalMounts = [
    { hostPath: "/srv/photos", readonly: true },
    { hostPath: "/srv/lists", readonly: false },
  ];
  expect(sandboxed({ additionalMounts })).toContain("folder and /srv/photos and /srv/lists (may change it)");
  expect(sandboxed({ allowedHosts: ["a.org", "b.org"] })).toContain("Its commands reach a.org and b.org");
  expect(sandboxed({ allowedHosts: ["a", "b", "c", "d", "e"] })).toContain("a, b, c and 2 others");
  expect(sandboxed({ kind: "podman" })).toContain("They run in Podman, a container for each command");
  expect(sandboxed({ credentials: ["api.example.org"] })).toContain("your sign-in for api.example.org");
});
