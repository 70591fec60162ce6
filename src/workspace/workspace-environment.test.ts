import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cpuMsOf } from "../../tests/scenes/cpu-time.ts";
import { readWorkspaceEnvironment } from "./workspace-environment.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "steward-env-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Buffer, environment: Record<string, string> = {}) {
  await writeFile(join(folder, ".env"), content);
  return await readWorkspaceEnvironment(folder, environment);
}

test("a workspace without .env adds nothing", async () => {
  expect(await readWorkspaceEnvironment(folder, {})).toEqual({ variables: {}, warnings: [] });
});

test.each([
  ["A=1", "1"],
  ["  A = one two  ", "one two"],
  ["export A=1", "1"],
  ["A=1 # why", "1"],
  ["A=a#b", "a#b"],
  ["A=", ""],
  ["A= # nothing", ""],
  ["A='one # \"two\" $B'", 'one # "two" $B'],
  ['A="one\\ntwo \\"three\\"" # why', 'one\ntwo "three"'],
  ["A=$HOME/`id`", "$HOME/`id`"],
  ["A=b=c", "b=c"],
  ["A=1\r\nA=2\r\n", "2"],
  ["# A=1\n\nA=3", "3"],
])("%j gives %j", async (line, value) => {
  expect(await read(line)).toEqual({ variables: { A: value }, warnings: [] });
});

test("what the environment already has is not overridden, not even an empty value", async () => {
  const found = await read("A=file\nB=file\nC=file", { A: "outside", B: "" });
  expect(found).toEqual({ variables: { C: "file" }, warnings: [] });
});

test("a broken line is told by its number and never by its content", async () => {
  const found = await read('sk-secret-1\nA="sk-secret-2\n1A=sk-secret-3\nB=ok');
  expect(found.variables).toEqual({ B: "ok" });
  expect(found.warnings).toEqual([
    ".env line 1 is left out: it is not of the form KEY=value",
    ".env line 2 is left out: the quotes of A are not closed",
    ".env line 3 is left out: it is not of the form KEY=value",
  ]);
});

test.each(
  `STEWARD_WORKSPACE_PATH STEWARD_HOME NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED node_options LD_PRELOAD
  LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES PATH HOME SHELL BASH_ENV ENV SHELLOPTS BASHOPTS PS4 IFS PROMPT_COMMAND ZDOTDIR
  HTTP_PROXY https_proxy ALL_PROXY no_proxy ANTHROPIC_BASE_URL OPENAI_BASE_URL OPENAI_API_BASE OLLAMA_HOST
  AWS_ENDPOINT_URL GIT_SSH_COMMAND GIT_CONFIG_GLOBAL GIT_ASKPASS npm_config_registry NPM_CONFIG_SCRIPT_SHELL EDITOR PAGER
  PYTHONPATH PYTHONSTARTUP PERL5LIB PERL5OPT RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS RUSTUP_TOOLCHAIN RUSTC_WRAPPER
  CARGO_BUILD_RUSTC GOFLAGS CLASSPATH MAKEFLAGS CC SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_HOME DOCKER_HOST KUBECONFIG
  XDG_CONFIG_HOME TMPDIR GLIBC_TUNABLES GCONV_PATH HOSTALIASES LESSOPEN OPENSSL_CONF DBUS_SESSION_BUS_ADDRESS
  SSH_AUTH_SOCK SSH_ASKPASS PLAYWRIGHT_BROWSERS_PATH __proto__`.split(/\s+/),
)("%s cannot be set from the workspace", async (name) => {
  const found = await read(`${name}=/tmp/evil\nFINE=1`);
  expect(found.variables).toEqual({ FINE: "1" });
  expect(found.warnings).toEqual([
    `.env line 1 is left out: ${name} changes how programs run or where they connect; set it where Steward is started`,
  ]);
});

test.each([
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "TELEGRAM_BOT_TOKEN",
  "HOMEASSISTANT_TOKEN",
  "SMTP_PASSWORD",
  "AWS_SECRET_ACCESS_KEY",
  "GOOGLE_API_KEY",
])("%s may be set from the workspace", async (name) => {
  expect(await read(`${name}=x`)).toEqual({ variables: { [name]: "x" }, warnings: [] });
});

test("a refused name does not get in by export, spaces or a second line", async () => {
  const found = await read("export  NODE_OPTIONS = x\nA=1\\\nLD_PRELOAD=/tmp/evil.so\rPATH=/tmp");
  expect(Object.keys(found.variables)).toEqual(["A"]);
});

test("a value with NUL bytes or broken UTF-8 is left out", async () => {
  const found = await read(Buffer.from("A=a\0PATH=/tmp\nB=\xff\nC=1", "latin1"));
  expect(found.variables).toEqual({ C: "1" });
  expect(found.warnings).toHaveLength(2);
});

test("a link is not followed and a huge file is not read", async () => {
  await symlink("/proc/self/environ", join(folder, ".env"));
  const link = await readWorkspaceEnvironment(folder, {});
  await rm(join(folder, ".env"));
  const huge = await read(`A=1\n${"#".repeat(70_000)}`);
  expect([link.variables, huge.variables]).toEqual([{}, {}]);
  expect([...link.warnings, ...huge.warnings]).toEqual([
    ".env is left out: it is a link, and links are not followed",
    ".env is left out: it is larger than 65536 bytes",
  ]);
});

test("a line made to slow the reader down does not", async () => {
  expect(await cpuMsOf(() => read(`A=a${" ".repeat(60_000)}b`))).toBeLessThan(1000);
});
