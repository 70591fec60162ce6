import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLineDeps, startFakeConsole } from "../../../tests/scenes/cli/fake-console.ts";
import { startFakeGateway } from "../../../tests/scenes/cli/fake-gateway-client.ts";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { AccessToken } from "../../contract/wire/access.ts";
import { CallRefused, type GatewayClient } from "../../contract/wire/client.ts";
import { type MethodInput, type MethodName, type MethodResult, methods } from "../../contract/wire/method.ts";
import { runCommandLine } from "../command-line.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { openInBrowser } from "./open.ts";

const day = 86_400_000;
const nowMs = 1_000_000;
const tokens: AccessToken[] = [
  { id: "t1", name: "Firefox", scope: "owner", kind: "browser", createdAtMs: 0, lastUsedAtMs: nowMs - 120_000 },
  {
    id: "t2",
    name: "cron\u001b[2J job",
    scope: "task",
    sessionKey: "terminal--work",
    kind: "token",
    createdAtMs: 0,
    expiresAtMs: nowMs + 30 * day,
  },
];

type Answers = { [Name in MethodName]?: () => MethodResult<Name> };
const usual: Answers = {
  "access.createCode": () => ({
    code: "abc",
    url: "http://127.0.0.1:18789/#code=abc",
    expiresAtMs: nowMs + 300_000,
  }),
  "access.list": () => ({ tokens }),
  "access.create": () => ({
    token: "stw_secret",
    record: { id: "t9", name: "n", scope: "read", kind: "token", createdAtMs: 0 },
  }),
  "access.revoke": () => ({ ok: true }),
};

/** Parameters are read by the real schemas, as the gateway reads them. */
async function steward(argv: string[], answers: Answers = usual, more: Partial<CommandLineDeps> = {}) {
  const calls: [string, unknown][] = [];
  const client: GatewayClient = {
    async call<Name extends MethodName>(name: Name, params: MethodInput<Name>) {
      calls.push([name, methods[name].params.parse(params)]);
      const answer = answers[name];
      if (!answer) throw new CallRefused("not_found", `${name} needs a Steward that keeps running.`);
      return answer() as MethodResult<Name>;
    },
    follow: () => () => {},
    closed: new Promise(() => {}),
    close: async () => {},
  };
  const fake = startFakeConsole();
  fake.endInput();
  const deps = commandLineDeps(startFakeGateway(), fake.console, { connect: async () => client, ...more });
  const code = await runCommandLine(deps, argv);
  return { code, output: fake.output(), errors: fake.errors(), calls };
}

describe("open", () => {
  test("prints the link and opens it where there is a screen", async () => {
    const opened: string[] = [];
    const openBrowser = async (url: string) => opened.push(url) > 0;
    expect(await steward(["open"], usual, { openBrowser })).toMatchObject({
      code: 0,
      output: "http://127.0.0.1:18789/#code=abc\n",
      errors: "It opens in your browser. The link works once, for 5 min.\n",
    });
    expect(opened).toEqual(["http://127.0.0.1:18789/#code=abc"]);
  });
  test("only prints it when asked to, and where there is no screen", async () => {
    const openBrowser = () => expect.unreachable("nothing is to be opened");
    const printed = { code: 0, errors: "Open this link in a browser. It works once, for 5 min.\n" };
    expect(await steward(["open", "--print"], usual, { openBrowser })).toMatchObject(printed);
    expect(await steward(["open"], usual, { openBrowser: async () => false })).toMatchObject(printed);
  });
  test("says what to do when no page is served", async () => {
    expect(await steward(["open"], {})).toMatchObject({
      code: 1,
      output: "",
      errors: "access.createCode needs a Steward that keeps running.\n",
    });
  });
});

describe("the browser", () => {
  async function fakeOpener() {
    const folder = await temporaryFolder();
    const note = join(folder, "opened");
    await writeFile(join(folder, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > "${note}"\n`, { mode: 0o755 });
    const environment = { WAYLAND_DISPLAY: "wayland-0", PATH: `${folder}:/bin` };
    const desktop = { platform: "linux", environment, folder: await temporaryFolder() };
    return { desktop, opened: () => readFile(note, "utf8").catch(() => "") };
  }

  const link = "http://127.0.0.1:1/#code=a-B_9";

  test("is given the link in a file of the owner's, and not where every user sees it", async () => {
    const { desktop, opened } = await fakeOpener();
    expect(await openInBrowser(desktop, link)).toBe(true);
    await eventually(async () => (await opened()) !== "");
    const path = await opened();
    expect(path).toMatch(new RegExp(`^${desktop.folder}/steward-open-[0-9a-f]{16}\\.html$`));
    expect(await readFile(path, "utf8")).toContain(`content="0;url=${link}"`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
  test("has some time to read the file, and then it is gone", async () => {
    const { desktop, opened } = await fakeOpener();
    await openInBrowser({ ...desktop, keepFileMs: 1 }, link);
    await eventually(async () => (await opened()) !== "" && (await readdir(desktop.folder)).length === 0);
  });
  test("finds the file of an earlier time gone", async () => {
    const { desktop } = await fakeOpener();
    await openInBrowser(desktop, link);
    await openInBrowser(desktop, link);
    expect(await readdir(desktop.folder)).toHaveLength(1);
  });
  test("is not looked for without a screen, without an opener, or for anything but a web address", async () => {
    const { desktop, opened } = await fakeOpener();
    const { PATH } = desktop.environment;
    expect(await openInBrowser({ ...desktop, environment: { PATH } }, link)).toBe(false);
    expect(await openInBrowser(desktop, "file:///etc/passwd")).toBe(false);
    expect(await openInBrowser(desktop, "--version")).toBe(false);
    const bare = { ...desktop, environment: { ...desktop.environment, PATH: "/nowhere" } };
    expect(await openInBrowser(bare, link)).toBe(false);
    expect(await openInBrowser({ ...desktop, folder: "/nowhere" }, link)).toBe(false);
    expect(await openInBrowser(desktop, `${link}"><script>`)).toBe(false);
    expect(await readdir(desktop.folder)).toEqual([]);
    expect(await opened()).toBe("");
  });
});

describe("token", () => {
  test("list shows who is let in and how far, without escape sequences", async () => {
    const { code, output } = await steward(["token", "list"]);
    expect(code).toBe(0);
    expect(output).toBe(
      [
        "id  name      may                  kind     last used  ends",
        "t1  Firefox   owner                browser  2 min ago  never",
        "t2  cron job  task terminal--work  token    never      in 30 days",
        "",
      ].join("\n"),
    );
  });
  test("list --json is what the gateway says, whole", async () => {
    expect(JSON.parse((await steward(["token", "list", "--json"])).output)).toEqual({ tokens });
  });
  test("list says how to begin when nobody is let in", async () => {
    const { output } = await steward(["token", "list"], { "access.list": () => ({ tokens: [] }) });
    expect(output).toBe("Nobody has been let in yet. A browser is let in by: steward open\n");
  });
  test("create prints the token alone, once, and how to take it back beside it", async () => {
    const argv = ["token", "create", "--name", "backup", "--scope", "read", "--days", "30"];
    expect(await steward(argv)).toMatchObject({
      code: 0,
      output: "stw_secret\n",
      errors: "Keep it now: it is not shown again. Take it back with: steward token revoke t9\n",
      calls: [["access.create", { name: "backup", scope: "read", expiresAfterDays: 30 }]],
    });
  });
  test("create for one conversation takes its short name", async () => {
    const argv = ["token", "create", "--name", "ci", "--scope", "task", "--session", "work"];
    expect((await steward(argv)).calls).toEqual([
      ["access.create", { name: "ci", scope: "task", sessionKey: "terminal--work" }],
    ]);
  });
  test.each([
    [["--name", "a"], 2, "required option '--scope <scope>' not specified"],
    [["--scope", "read"], 2, "required option '--name <name>' not specified"],
    [["--name", "a", "--scope", "admin"], 2, "Allowed choices are owner, read, approve, task"],
    [["--name", "a", "--scope", "task"], 1, "Name it with --session."],
    [["--name", "a", "--scope", "read", "--session", "work"], 1, "Leave --session out"],
    [["--name", "a", "--scope", "read", "--days", "soon"], 1, "“soon” is no number of days"],
    [["--name", "a", "--scope", "read", "--days", "-1"], 1, "“-1” is no number of days"],
  ])("create %j makes none and says why", async (options, code, words) => {
    const answer = await steward(["token", "create", ...options]);
    expect(answer).toMatchObject({ code, output: "", calls: [] });
    expect(answer.errors.toLowerCase()).toContain(words.toLowerCase());
  });
  test("revoke takes one back", async () => {
    expect(await steward(["token", "revoke", "t1"])).toMatchObject({
      code: 0,
      output: "It is taken back; whoever used it is let in no more.\n",
      calls: [["access.revoke", { id: "t1" }]],
    });
  });
  test("revoke of one that is not there says where to look", async () => {
    expect(await steward(["token", "revoke", "t7"], { "access.revoke": () => ({ ok: false }) })).toMatchObject({
      code: 1,
      errors: "There is no token t7. List them: steward token list\n",
    });
  });
  test("both commands are in the help", async () => {
    const { output } = await steward(["--help"]);
    expect(output).toContain("\n  open ");
    expect(output).toContain("\n  token ");
  });
});
