import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { approvalTextOf, commandLineOf, ExecArguments, waitMsOf } from "./exec-arguments.ts";

function refusalOf(args: object): string {
  const parsed = ExecArguments.safeParse({ command: "true", ...args });
  return parsed.success ? "accepted" : parsed.error.issues.map((issue) => issue.message).join(" ");
}

test.each([
  ...["PATH", "HOME", "LD_PRELOAD", "LD_LIBRARY_PATH", "NODE_OPTIONS", "BASH_ENV", "ENV", "SHELLOPTS", "PS4", "IFS"],
  ...["PROMPT_COMMAND", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "npm_config_script_shell", "NPM_CONFIG_PREFIX"],
  ...["PYTHONPATH", "PYTHONSTARTUP", "HTTP_PROXY", "https_proxy", "all_proxy", "XDG_CONFIG_HOME", "PAGER", "CDPATH"],
  ...["PERL5OPT", "RUBYOPT", "TAR_OPTIONS", "RIPGREP_CONFIG_PATH", "LESS", "ZDOTDIR", "path", "Ld_Preload"],
])("the variable %s is refused by its name", (name) => {
  expect(refusalOf({ env: { [name]: "x" } })).toContain(`${name} steers`);
});

test.each([["1A"], ["A-B"], ["A B"], [""], ["A=B"], ["BASH_FUNC_ls%%"], ["Ä"], ["A\n"]])(
  "%j is no name for a variable",
  (name) => {
    expect(refusalOf({ env: { [name]: "x" } })).toContain("is no name for a variable");
  },
);

test.each([["CI"], ["NODE_ENV"], ["PORT"], ["DATABASE_URL"], ["_x9"]])("the variable %s may be set", (name) => {
  expect(refusalOf({ env: { [name]: "it's $HOME `here`\n" } })).toBe("accepted");
});

test("too many variables, or too long or broken ones, are refused", () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`A${n}`, ""]));
  expect(refusalOf({ env: many })).toContain("20 variables, not 21");
  expect(refusalOf({ env: { A: "x".repeat(1_001) } })).toContain("longer than 1000");
  expect(refusalOf({ env: { A: "a\0b" } })).toContain("NUL");
});

test.each([["/etc"], ["/"], [".."], ["a/../.."], ["a/../b"], ["~"], ["~root/x"], ["../workspace"]])(
  "the folder %s is refused as outside the workspace",
  (cwd) => {
    expect(refusalOf({ cwd })).toContain("below the workspace");
  },
);

test("a folder with a control character in its name is refused", () => {
  expect(refusalOf({ cwd: "a\nb" })).toContain("control character");
});

test("the wait is ten seconds, what was asked for, or none in the background", () => {
  expect(
    [{}, { yieldMs: 500 }, { background: true, yieldMs: 500 }].map((args) => waitMsOf({ command: "x", ...args })),
  ).toEqual([10_000, 500, 0]);
  expect(refusalOf({ yieldMs: 120_001 })).not.toBe("accepted");
});

test("without folder and variables the command line is left alone", () => {
  for (const cwd of [undefined, ".", ".//", ""]) expect(commandLineOf({ command: "ls # all", cwd })).toBe("ls # all");
});

test("folder and variables stand in the command line, quoted", () => {
  const args = { command: "ls # all", cwd: "it's/here/", env: { A: "$(id)", B: "'" } };
  expect(commandLineOf(args)).toBe(`A='$(id)' B=''\\''' true && cd -- 'it'\\''s/here' && {\nls # all\n}`);
});

test("nothing of a command runs when its folder is gone, whatever it looks like", () => {
  const folder = mkdtempSync(join(tmpdir(), "steward-exec-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "workspace"));
  for (const command of ["touch a; touch b", "touch a\ntouch b", "touch a || touch b", "false && touch a; touch b &"]) {
    const line = commandLineOf({ command, cwd: "gone" });
    expect(() => execFileSync("bash", ["-c", line], { cwd: join(folder, "workspace"), stdio: "ignore" })).toThrow();
  }
  expect(readdirSync(join(folder, "workspace"))).toEqual([]);
});

test("a person sees the command first, and then where and with what it runs", () => {
  expect(approvalTextOf({ command: "npm test", cwd: "app", env: { CI: "1" }, background: true })).toBe(
    "npm test\n[in 'app', with CI='1', in the background]",
  );
});
