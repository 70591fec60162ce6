import { expect, test } from "vitest";
import { type Case, callOf, guardWith, shellJudge, workspace } from "../../tests/scenes/guard/guarded-call.ts";
import { Settings } from "../contract/settings.ts";
import type { ShellJudge } from "./judgement.ts";

const write = (path: string): Case => ({ effects: ["changes"], paths: [{ path, access: "write" }] });
const web = ["web"];

const table: readonly [string, Case, Record<"ask" | "auto" | "deny", "allow" | "ask" | "deny">][] = [
  [
    "reading a file",
    { effects: ["reads"], paths: [{ path: "notes.txt", access: "read" }] },
    { ask: "allow", auto: "allow", deny: "allow" },
  ],
  ["writing a file", write("notes.txt"), { ask: "ask", auto: "allow", deny: "deny" }],
  ["writing a memory note", write("MEMORY.md"), { ask: "allow", auto: "allow", deny: "deny" }],
  ["writing a note of the day", write("memory/2026-11-15.md"), { ask: "allow", auto: "allow", deny: "deny" }],
  ["writing what steers the assistant", write("AGENTS.md"), { ask: "ask", auto: "ask", deny: "deny" }],
  ["the same in another spelling", write("./skills/../agents.MD"), { ask: "ask", auto: "ask", deny: "deny" }],
  ["the same by its whole path", write(`${workspace}/SOUL.md`), { ask: "ask", auto: "ask", deny: "deny" }],
  ["planting a git hook", write(".git/hooks/pre-commit"), { ask: "ask", auto: "ask", deny: "deny" }],
  ["writing a package manager's settings", write("app/.npmrc"), { ask: "ask", auto: "ask", deny: "deny" }],
  ["writing a skill", write("skills/mail/SKILL.md"), { ask: "ask", auto: "ask", deny: "deny" }],
  [
    "reading the secrets",
    { effects: ["reads"], paths: [{ path: ".env", access: "read" }] },
    { ask: "deny", auto: "deny", deny: "deny" },
  ],
  [
    "reading secrets deeper down",
    { effects: ["reads"], paths: [{ path: "app/.ENV", access: "read" }] },
    { ask: "deny", auto: "deny", deny: "deny" },
  ],
  ["sending", { effects: ["sends"] }, { ask: "ask", auto: "ask", deny: "deny" }],
  ["destroying", { effects: ["destroys"] }, { ask: "ask", auto: "ask", deny: "deny" }],
  ["spending", { effects: ["costs"] }, { ask: "ask", auto: "ask", deny: "deny" }],
  ["changing something that is not a file", { effects: ["changes"] }, { ask: "ask", auto: "ask", deny: "deny" }],
  [
    "a command that only looks",
    { effects: ["changes"], command: "look" },
    { ask: "allow", auto: "allow", deny: "allow" },
  ],
  [
    "a harmless command that changes files",
    { effects: ["changes"], command: "change" },
    { ask: "ask", auto: "allow", deny: "deny" },
  ],
  [
    "a command the rules do not know",
    { effects: ["changes"], command: "odd" },
    { ask: "ask", auto: "ask", deny: "deny" },
  ],
  [
    "a command the rules forbid",
    { effects: ["changes"], command: "evil" },
    { ask: "deny", auto: "deny", deny: "deny" },
  ],
  [
    "anything for a stranger",
    { effects: ["reads"], asker: { kind: "stranger", id: "x" } },
    { ask: "deny", auto: "deny", deny: "deny" },
  ],
  [
    "reading for a group member",
    { effects: ["reads"], asker: { kind: "group", id: "bob" } },
    { ask: "allow", auto: "allow", deny: "allow" },
  ],
  [
    "writing for a group member",
    { ...write("a.txt"), asker: { kind: "group", id: "bob" } },
    { ask: "ask", auto: "ask", deny: "deny" },
  ],
  [
    "writing a file after reading the web",
    { ...write("notes.txt"), labels: web },
    { ask: "ask", auto: "allow", deny: "deny" },
  ],
  [
    "writing a memory note after reading the web",
    { ...write("MEMORY.md"), labels: web },
    { ask: "ask", auto: "ask", deny: "deny" },
  ],
  [
    "changing files by command after reading the web",
    { effects: ["changes"], command: "change", labels: web },
    { ask: "ask", auto: "ask", deny: "deny" },
  ],
  [
    "looking around by command after reading the web",
    { effects: ["changes"], command: "look", labels: web },
    { ask: "allow", auto: "allow", deny: "allow" },
  ],
];

for (const [what, given, verdicts] of table) {
  for (const mode of ["ask", "auto", "deny"] as const) {
    test(`in mode ${mode}, ${what}: ${verdicts[mode]}`, async () => {
      expect((await guardWith(mode).decide(callOf(given))).verdict).toBe(verdicts[mode]);
    });
  }
}

const granted = { isGranted: async () => true };

test("what the owner always allows is not asked again", async () => {
  expect((await guardWith("ask", granted).decide(callOf(write("notes.txt")))).verdict).toBe("allow");
});

test("an always does not reach beyond a deny", async () => {
  expect((await guardWith("ask", granted).decide(callOf({ effects: ["changes"], command: "evil" }))).verdict).toBe(
    "deny",
  );
});

test("after untrusted text, a way out is asked about even if it was always allowed before", async () => {
  const decision = await guardWith("auto", granted).decide(callOf({ effects: ["sends"], labels: ["web", "mail"] }));
  expect(decision).toEqual({
    verdict: "ask",
    rule: "untrusted text and a way out",
    reason: "The conversation holds text from web, mail, which may have asked for this.",
    lasting: true,
  });
});

test("after untrusted text, every command is asked about when commands have network", async () => {
  const guard = guardWith("auto", { commandsHaveNetwork: true });
  expect((await guard.decide(callOf({ effects: ["changes"], command: "look", labels: web }))).verdict).toBe("ask");
});

const sendTo = (destination: string, trustedText: string): Case => ({
  effects: ["reads"],
  destinations: [destination],
  trustedText,
});

test("a destination that the owner has named needs no question", async () => {
  expect(
    (await guardWith("auto").decide(callOf(sendTo("Bob@Example.com", "please write to bob@example.com")))).verdict,
  ).toBe("allow");
});

test("a destination that only the model knows is asked about", async () => {
  expect(
    await guardWith("auto").decide(callOf(sendTo("eve@evil.test", "please write to bob@example.com"))),
  ).toMatchObject({ verdict: "ask", rule: "destination" });
});

test.each([
  ["ob@example.com", "write to bob@example.com"],
  ["bob@example.co", "write to bob@example.com"],
  ["bob@example.com", "write to bob@example.com.evil.test"],
  ["https://example.com/a?secret=1", "look at https://example.com/a"],
])("%s is not named by: %s", async (destination, text) => {
  expect((await guardWith("auto").decide(callOf(sendTo(destination, text)))).verdict).toBe("ask");
});

test("a destination at the end of a sentence is named", async () => {
  expect((await guardWith("auto").decide(callOf(sendTo("bob@example.com", "Write to bob@example.com.")))).verdict).toBe(
    "allow",
  );
});

test("a destination from the settings needs no question", async () => {
  expect((await guardWith("auto").decide(callOf(sendTo("team@example.org", "")))).verdict).toBe("allow");
});

test("an approval is void when the arguments, the folder or a named file change", async () => {
  const guard = (hash: string) => guardWith("ask", { hashFile: async () => hash });
  const call = callOf({ effects: ["changes"], command: "node run.sh" });
  const first = await guard("a").bindingOf(call);
  expect(await guard("a").bindingOf(call)).toBe(first);
  expect(await guard("b").bindingOf(call)).not.toBe(first);
  expect(await guard("a").bindingOf({ ...call, workspace: "/elsewhere" })).not.toBe(first);
  expect(await guard("a").bindingOf({ ...call, call: { ...call.call, arguments: { other: 1 } } })).not.toBe(first);
});

test("a command is judged once, also when its question is bound to its files", async () => {
  const judged: string[] = [];
  const judge: ShellJudge["judge"] = (command) => {
    judged.push(command);
    return shellJudge.judge(command);
  };
  const guard = guardWith("ask", { shell: async () => ({ ...shellJudge, judge }) });
  const call = callOf({ effects: ["changes"], command: "odd" });
  expect((await guard.decide(call)).verdict).toBe("ask");
  await guard.bindingOf(call);
  expect(judged).toEqual(["odd"]);
});

const policies: readonly [string, "allow" | "ask" | "deny", Case, "allow" | "ask" | "deny"][] = [
  ["an allowed tool writes without asking", "allow", write("notes.txt"), "allow"],
  ["an allowed tool still asks before it changes what steers the assistant", "allow", write("AGENTS.md"), "ask"],
  [
    "an allowed tool never opens secrets",
    "allow",
    { effects: ["reads"], paths: [{ path: ".env", access: "read" }] },
    "deny",
  ],
  ["an allowed tool asks when somebody else's words are about", "allow", { effects: ["sends"], labels: web }, "ask"],
  [
    "an allowed tool does not run a command the rules forbid",
    "allow",
    { effects: ["changes"], command: "evil" },
    "deny",
  ],
  ["a tool that must ask asks even to read", "ask", { effects: ["reads"] }, "ask"],
  ["a tool that is off stays off", "deny", { effects: ["reads"] }, "deny"],
];

test.each(policies)("policy: %s", async (_, policy, given, verdict) => {
  const settings = Settings.parse({ guard: { tools: { tool: policy } } }).guard;
  const guard = guardWith("ask", { settings, isGranted: async () => false });
  expect(await guard.decide(callOf(given))).toMatchObject({ verdict });
});

test("what must always ask is asked about even after an always", async () => {
  const settings = Settings.parse({ guard: { tools: { tool: "ask" } } }).guard;
  const guard = guardWith("ask", { settings, isGranted: async () => true });
  expect(await guard.decide(callOf({ effects: ["reads"] }))).toMatchObject({ verdict: "ask" });
});

test("what asks each time is asked about in any mode, by any setting and after an always", async () => {
  const settings = Settings.parse({ guard: { mode: "auto", tools: { tool: "allow" } } }).guard;
  const guard = guardWith("auto", { settings, isGranted: async () => true });
  for (const given of [write("MEMORY.md"), write("notes.txt"), { effects: ["reads"] } satisfies Case]) {
    expect((await guard.decide(callOf(given))).verdict).toBe("allow");
    expect(await guard.decide(callOf({ ...given, asksAlways: true }))).toMatchObject({ verdict: "ask", lasting: true });
  }
});

test("in the mode deny an allowed tool still only reads", async () => {
  const settings = Settings.parse({ guard: { mode: "deny", tools: { tool: "allow" } } }).guard;
  expect(await guardWith("deny", { settings }).decide(callOf(write("notes.txt")))).toMatchObject({ verdict: "deny" });
});
