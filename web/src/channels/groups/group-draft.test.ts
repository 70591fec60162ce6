import { expect, test } from "vitest";
import { groupOptions } from "../../../../tests/scenes/page/shown-channel.ts";
import { checkDraft, draftOf, optionsOf, usualOptions } from "./group-draft.ts";

const usual = draftOf("Family", usualOptions);

test("a group whose form was opened and saved stays as it was, also in what the form does not show", () => {
  const options = groupOptions({ trigger: "hey", model: "fake/other" });
  const sandbox = {
    ...options.sandbox,
    kind: "podman" as const,
    image: "debian",
    timeoutSeconds: 95,
    allowedHosts: ["a.org", "b.org"],
    credentials: ["a.org"],
    additionalMounts: [{ hostPath: "/srv/photos", containerPath: "photos", readonly: false }],
  };
  expect(optionsOf(draftOf("Family", { ...options, sandbox }), { ...options, sandbox })).toEqual({
    ...options,
    sandbox,
  });
});

test("what was typed is sent in the form's own way: no empty trigger, hosts one by one, minutes as seconds", () => {
  const draft = {
    ...usual,
    trigger: "  ",
    hosts: "a.org, b.org\n\na.org",
    timeoutMinutes: "2,5",
    kind: "docker" as const,
    image: " debian:13 ",
  };
  const mounts = [
    { hostPath: " /srv/lists ", containerPath: "", isReadonly: true },
    { hostPath: "", containerPath: "", isReadonly: true },
  ];
  expect(optionsOf({ ...draft, mounts }, usualOptions)).toMatchObject({
    trigger: null,
    sandbox: {
      allowedHosts: ["a.org", "b.org"],
      additionalMounts: [{ hostPath: "/srv/lists", readonly: true }],
      timeoutSeconds: 150,
      ...{ kind: "docker", image: "debian:13" },
    },
  });
});

test.each([
  [{ title: " " }, "title"],
  [{ name: "My Family" }, "name"],
  [{ trigger: "x".repeat(61) }, "trigger"],
  [{ timeoutMinutes: "0" }, "timeoutMinutes"],
  [{ timeoutMinutes: "soon" }, "timeoutMinutes"],
  [{ timeoutMinutes: "1441" }, "timeoutMinutes"],
  [{ hosts: "https://example.org/x" }, "hosts"],
  [{ mounts: [{ hostPath: "photos", containerPath: "", isReadonly: true }] }, "mounts"],
] as const)("%j is complained of beside its field", (change, field) => {
  expect(Object.keys(checkDraft({ ...usual, ...change }))).toEqual([field]);
});

test("nothing is complained of in what stands there at first", () => {
  expect(checkDraft(usual)).toEqual({});
});
