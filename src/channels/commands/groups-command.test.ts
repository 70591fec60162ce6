import { expect, test } from "vitest";
import { commandLineDeps, startFakeConsole } from "../../../tests/scenes/cli/fake-console.ts";
import { startFakeGateway } from "../../../tests/scenes/cli/fake-gateway-client.ts";
import { runCommandLine } from "../../cli/command-line.ts";
import { type Group, GroupOptions } from "../../contract/channel/group.ts";
import { CallRefused, type GatewayClient } from "../../contract/wire/client.ts";
import { type MethodInput, type MethodName, type MethodResult, methods } from "../../contract/wire/method.ts";
import type { SeenChat } from "../../contract/wire/methods/channels.ts";
import { groupsCommand } from "./groups-command.ts";

const nowMs = 1_000_000;
const seen: SeenChat[] = [
  { channel: "telegram", address: { chat: "-1" }, title: "Sports club", lastSeenMs: nowMs - 120_000 },
  { channel: "slack", address: { chat: "C2" }, title: "Sports news", lastSeenMs: nowMs },
  { channel: "slack", address: { chat: "C3" }, title: "2", lastSeenMs: nowMs },
];
const family: Group & { folder: string; lastAtMs: number; problems: string[] } = {
  ...{ name: "family", title: "Family", conversation: "telegram--5", channel: "telegram", address: { chat: "-5" } },
  options: GroupOptions.parse({ trigger: "@jeeves", sandbox: { allowedHosts: ["example.org"] } }),
  ...{ folder: "/home/ann/.steward/groups/family", lastAtMs: nowMs - 60_000, problems: [] },
};

/** A gateway that knows one group and three chats; parameters are read by the real schemas. */
function commandLine(listed: MethodResult<"groups.list"> = { groups: [family], seen }) {
  const calls: [string, unknown][] = [];
  const client: GatewayClient = {
    async call<Name extends MethodName>(name: Name, raw: MethodInput<Name>) {
      const params = methods[name].params.parse(raw);
      if (name !== "groups.list") calls.push([name, params]);
      return answer(name, params as Record<string, unknown>) as MethodResult<Name>;
    },
    follow: () => () => undefined,
    closed: new Promise(() => undefined),
    close: async () => undefined,
  };
  const fake = startFakeConsole();
  const deps = commandLineDeps(startFakeGateway(), fake.console, {
    ...{ commands: [groupsCommand], connect: async () => client },
  });
  const run = async (...argv: string[]) => {
    const code = await runCommandLine(deps, ["groups", ...argv]);
    return { code, output: fake.output(), errors: fake.errors() };
  };
  return { run, calls };

  function answer(name: MethodName, params: Record<string, unknown>): unknown {
    if (name === "groups.list") return listed;
    if (name === "groups.register") return { name: "made", conversation: "x--1", ...params };
    if (name === "groups.change") return { ...family, options: params.options };
    if (name === "groups.remove") return { ok: true };
    throw new CallRefused("not_found", `There is no ${name}.`);
  }
}

test("steward groups lists groups, and by number the chats that could become one", async () => {
  expect((await commandLine().run()).output).toBe(
    [
      "name    title   channel   last",
      "family  Family  telegram  1 min ago  answers when called (@jeeves), and asks you before it changes anything",
      "",
      "Steward is in these chats and says nothing there. Make one a group: steward groups add <number>",
      "1  Sports club  telegram  2 min ago",
      "2  Sports news  slack     just now",
      "3  2            slack     just now",
      "",
    ].join("\n"),
  );
  expect((await commandLine({ groups: [], seen: [] }).run()).output).toMatch(
    /^There is no group yet\.\nAdd Steward's bot to/,
  );
});

test("a folder that a group cannot have now is named below the groups", async () => {
  const problems = ["/srv/photos may not be shown to commands: it does not exist."];
  const { output } = await commandLine({ groups: [{ ...family, problems }], seen: [] }).run();
  expect(output).toMatch(
    /it changes anything\n\nfamily: \/srv\/photos may not be shown to commands: it does not exist\.\n$/,
  );
});

test.each([
  [["1"], "Sports club"],
  [["sports", "news"], "Sports news"],
  [["sports", "c"], "Sports club"],
  [["2"], "2"],
])("%j names one of the chats", async (argv, title) => {
  const { run, calls } = commandLine();
  expect((await run("add", ...argv)).output).toMatch(
    /^Added: .+ is the group made\. There Steward answers when called,/,
  );
  expect(calls).toMatchObject([["groups.register", { title }]]);
});

test("a group is added with what was chosen, and the rest as it is at first", async () => {
  const { run, calls } = commandLine();
  const options = ["--every-message", "--mode", "deny", "--hosts", "a.example, b.example", "--timeout", "60"];
  const { output } = await run("add", "1", "--name", "club", "--trigger", "hey", "--model", "ollama/qwen3", ...options);
  expect(output).toBe(
    "Added: Sports club is the group club. There Steward answers every message, and changes nothing.\n",
  );
  expect(calls).toEqual([
    [
      "groups.register",
      {
        ...{ channel: "telegram", address: { chat: "-1" }, title: "Sports club", name: "club" },
        options: GroupOptions.parse({
          ...{ trigger: "hey", needsTrigger: false, mode: "deny", model: "ollama/qwen3" },
          sandbox: { allowedHosts: ["a.example", "b.example"], timeoutSeconds: 60 },
        }),
      },
    ],
  ]);
});

test("of a group only what is named is changed", async () => {
  const { run, calls } = commandLine();
  expect((await run("change", "Family", "--trigger", "none", "--mode", "auto")).output).toBe(
    "Changed: Family answers when called, and changes things in its own folder without asking.\n",
  );
  const options = { ...family.options, trigger: null, mode: "auto" };
  expect(calls).toEqual([["groups.change", { group: "family", options }]]);
});

test("what its commands may reach is changed part by part, and a folder stays where they find it", async () => {
  const { run, calls } = commandLine();
  const mount = { hostPath: "/srv/photos", containerPath: "album", readonly: true };
  const options = GroupOptions.parse({ sandbox: { additionalMounts: [mount], credentials: ["old.example"] } });
  const withMount = commandLine({ groups: [{ ...family, options }], seen });
  await withMount.run("change", "family", "--folders", "/srv/photos:rw, /srv/lists, ~/music");
  expect(withMount.calls).toMatchObject([
    [
      "groups.change",
      {
        options: {
          sandbox: {
            additionalMounts: [
              { ...mount, readonly: false },
              { hostPath: "/srv/lists", readonly: true },
              { hostPath: "~/music", readonly: true },
            ],
            credentials: ["old.example"],
          },
        },
      },
    ],
  ]);
  const rest = ["--folders", "none", "--sign-ins", "api.example", "--sandbox", "podman", "--image", "debian:13"];
  await run("change", "family", ...rest);
  const sandbox = { additionalMounts: [], credentials: ["api.example"], kind: "podman", image: "debian:13" };
  expect(calls).toMatchObject([["groups.change", { options: { sandbox } }]]);
});

test("a removed group keeps its folder, and it is said where", async () => {
  const { run, calls } = commandLine();
  expect((await run("remove", "family")).output).toContain("What was there stays: /home/ann/.steward/groups/family");
  expect(calls).toEqual([["groups.remove", { group: "family" }]]);
});

test.each([
  [["add", "sports"], "Several chats are called so. Give the number instead:\n  1  Sports club\n  2  Sports news"],
  [["add", "choir"], "No chat is called “choir”. There are:\n  1  Sports club"],
  [["add", "1", "--name", "My Club"], "a group's name is lower-case letters, digits and dashes"],
  [["add", "1", "--timeout", "soon"], "timeoutSeconds"],
  [
    ["change", "family", "--folders", "photos"],
    "Write the whole path of each folder, beginning with / or ~/, not “photos”.",
  ],
  [["add", "1", "--every-message", "--when-called"], "say the opposite"],
  [["change", "famly", "--mode", "ask"], "There is no group “famly”. Did you mean “family”? List them: steward groups"],
  [["change", "family"], "Nothing would be different."],
  [["remove", "choir"], "There is no group “choir”. List them"],
])("steward groups %j does nothing and says why", async (argv, said) => {
  const { run, calls } = commandLine();
  const { code, errors } = await run(...argv);
  expect({ code, calls }).toEqual({ code: 1, calls: [] });
  expect(errors).toContain(said);
});

test("where Steward was never in a chat of several people, it is said how to begin", async () => {
  const { errors } = await commandLine({ groups: [], seen: [] }).run("add", "1");
  expect(errors).toContain("add its bot to one and write something there");
});

test.each([
  [["list"], { groups: [{ name: "family" }], seen: [{}, {}, {}] }],
  [["add", "1"], { name: "made", title: "Sports club" }],
  [["change", "family", "--mode", "deny"], { name: "family", options: { mode: "deny" } }],
  [["remove", "family"], { group: "family", removed: true }],
])("steward groups %j --json prints one object", async (argv, expected) => {
  const { code, output, errors } = await commandLine().run(...argv, "--json");
  expect({ code, errors, printed: JSON.parse(output) }).toMatchObject({ code: 0, errors: "", printed: expected });
});
