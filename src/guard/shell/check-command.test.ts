import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type BuiltWorkspace, buildWorkspace, defaultPolicy } from "../../../tests/scenes/shell-workspace.ts";
import { openBudget } from "./budget.ts";
import { checkCommand, inspectCommand } from "./check-command.ts";
import type { ShellPolicy, ShellVerdict } from "./policy.ts";

const Row = z.object({ id: z.string(), command: z.string(), rule: z.string().optional() });
let workspace: BuiltWorkspace;

beforeAll(() => {
  workspace = buildWorkspace();
});
afterAll(() => workspace.remove());

function policy(changes: Partial<ShellPolicy> = {}): ShellPolicy {
  return { ...defaultPolicy(workspace.path), ...changes };
}

function check(command: string, changes: Partial<ShellPolicy> = {}): ShellVerdict {
  return checkCommand(policy(changes), command.replaceAll("{{W}}", workspace.path));
}

function readCorpus(name: string): z.infer<typeof Row>[] {
  const path = new URL(`../../../tests/corpora/${name}`, import.meta.url);
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => Row.parse(JSON.parse(line)));
}

describe("the corpora", () => {
  test("every attack is refused", () => {
    const rows = readCorpus("shell-attacks.jsonl");
    const allowed = rows.filter(({ command }) => check(command).verdict === "allow");
    expect(allowed).toEqual([]);
    expect(rows.length).toBeGreaterThan(1900);
  });

  test("every ordinary command is allowed", () => {
    const rows = readCorpus("shell-benign.jsonl");
    const refused = rows.flatMap((row) => {
      const verdict = check(row.command);
      return verdict.verdict === "allow" ? [] : [{ ...row, verdict }];
    });
    expect(refused).toEqual([]);
    expect(rows.length).toBeGreaterThan(600);
  });
});

describe("deny and ask", () => {
  test("an unknown command can be approved, a shell cannot be approved by habit", () => {
    expect(check("make")).toMatchObject({ verdict: "ask", rule: "command" });
    expect(check("bash -c id")).toMatchObject({ verdict: "deny", rule: "command" });
  });

  test("what must never run unseen wins over what could be asked", () => {
    expect(check("make; cat /etc/passwd")).toMatchObject({ verdict: "deny", rule: "path" });
  });

  test("a host that is not listed is a question, an address in disguise is refused", () => {
    expect(check("curl https://other.example")).toMatchObject({ verdict: "ask", rule: "curl" });
    expect(check("curl https://example.com@other.example")).toMatchObject({ verdict: "deny", rule: "curl" });
  });
});

describe("the owner's settings", () => {
  test("a command that is taken off the list is no longer allowed", () => {
    expect(check("ls", { allowedCommands: ["cat"] })).toMatchObject({ verdict: "ask", rule: "command" });
  });

  test("a listed command without a table of options is asked about", () => {
    expect(check("make all", { allowedCommands: ["make"] })).toMatchObject({ verdict: "ask", rule: "command" });
  });

  const files = { allowedCommands: ["chmod", "ln", "tee", "kill", "rmdir", "echo", "cat", "mv", "mkdir"] };
  test.each([
    "chmod +x script.js",
    "chmod -R 755 src",
    "chmod 0644 a.txt b.txt",
    "ln a.txt b2.txt",
    "ln -s a.txt b2.txt",
    "ln -s ../a.txt src/a2.txt",
    "ln -sf main.ts src/other.ts",
    "echo hi | tee out.txt",
    "cat a.txt | tee -a docs/notes.txt src/new.txt",
    "kill 1234",
    "kill -TERM %1",
    "kill -s INT 77",
    "rmdir -p docs/old",
  ])("what the owner lists is used in the workspace: %s", (command) => {
    expect(check(command)).toMatchObject({ verdict: "ask", rule: "command" });
    expect(check(command, files)).toEqual({ verdict: "allow" });
  });
  test.each([
    ["chmod 777 /etc/passwd", "deny"],
    ["chmod +x link-passwd", "deny"],
    ["chmod -R 755 .", "deny"],
    ["chmod u+s script.js", "ask"],
    ["chmod 4755 script.js", "ask"],
    ["chmod --no-preserve-root -R 755 src", "deny"],
    ["chmod +x .git/hooks/pre-commit", "deny"],
    ["chmod 600 .env", "deny"],
    ["ln -s /etc/passwd x", "deny"],
    ["ln -s ../etc x", "deny"],
    ["ln -s ../../x src/y", "deny"],
    ["ln -s ../.git/config src/y", "deny"],
    ["ln -s .env x", "deny"],
    ["ln .git/config x", "deny"],
    ["ln a.txt .git/hooks/pre-commit", "deny"],
    ["ln a.txt /tmp/x", "deny"],
    ["ln -s a.txt MEMORY.md", "ask"],
    ["ln -t src a.txt", "deny"],
    ["ln a.txt b.txt src", "ask"],
    ["ln -sfn AGENTS.md src", "deny"],
    ["mkdir -p d/q; ln -s AGENTS.md d/q/k; mv d/q/k k; echo OWN > k", "ask"],
    ["mv a.txt c.txt; ln -s c.txt src/l", "ask"],
    ["chmod 000 .", "ask"],
    ["ln -s $x y", "ask"],
    ["echo x | tee /etc/cron.d/x", "deny"],
    ["echo x | tee .git/config", "deny"],
    ["echo x | tee MEMORY.md", "ask"],
    ["echo x | tee link-out/x", "deny"],
    ["kill -9 -1", "ask"],
    ["kill 0", "ask"],
    ["kill $(cat a.txt)", "ask"],
    ["rmdir /tmp", "deny"],
    ["rmdir .", "deny"],
    ["rmdir .git", "deny"],
  ] as const)("what is listed stays within the rules: %s", (command, verdict) => {
    expect(check(command, files)).toMatchObject({ verdict });
  });

  test("a listed command can be kept to be asked about, and its own rules hold", () => {
    expect(check("rm a.txt", { askedCommands: ["rm"] })).toMatchObject({ verdict: "ask", rule: "command" });
    expect(check("rm /etc/x", { askedCommands: ["rm"] })).toMatchObject({ verdict: "deny", rule: "path" });
    expect(check("ls", { askedCommands: ["rm"] })).toEqual({ verdict: "allow" });
  });

  test("further folders can be opened for reading and for writing", () => {
    const readDirs = ["/usr/share"];
    expect(check("ls /usr/share", { readDirs })).toEqual({ verdict: "allow" });
    expect(check("touch /usr/share/x", { readDirs })).toMatchObject({ verdict: "deny", rule: "path" });
    expect(check("touch /usr/share/x", { writeDirs: readDirs })).toEqual({ verdict: "allow" });
    expect(check("rm -rf /usr/share", { writeDirs: readDirs })).toMatchObject({ verdict: "deny", rule: "rm" });
  });
});

describe("values that are followed", () => {
  test("a variable counts as each of its values", () => {
    expect(check("for f in a.txt b.txt; do cat $f; done")).toEqual({ verdict: "allow" });
    expect(check("for f in a.txt /etc/passwd; do cat $f; done")).toMatchObject({ verdict: "deny", rule: "path" });
  });

  test("a value that a later round of a loop sets counts in the next round", () => {
    expect(check("x=a.txt; for i in 1 2; do cat $x; x=/etc/passwd; done")).toMatchObject({ verdict: "deny" });
  });

  test("a folder that may not have been entered counts as well", () => {
    expect(check("cd src || cat ../x")).toMatchObject({ verdict: "deny", rule: "path" });
    expect(check("cd src && cat ../a.txt")).toEqual({ verdict: "allow" });
  });

  test("a variable set in a pipeline or a subshell is forgotten after it", () => {
    expect(check("x=a.txt; (x=b.txt); cat $x")).toEqual({ verdict: "allow" });
    expect(check("(x=a.txt); cat $x")).toMatchObject({ verdict: "ask", rule: "unknown value" });
  });

  test("more possibilities than can be looked at are refused, however long it takes to write them", () => {
    const nested = Array.from({ length: 9 }, (_, at) => `for v${at} in {1..9}; do `).join("");
    expect(
      check(`${nested}cat ${Array.from({ length: 9 }, (_, at) => `$v${at}`).join("")}${"; done".repeat(9)}`),
    ).toMatchObject({
      verdict: "deny",
    });
  });
});

describe("what grows", () => {
  const many = (count: number, text: string) => text.repeat(count);
  const growing: readonly [string, string, "allow" | "ask" | "deny"][] = [
    ["sixty stars", `ls ${many(60, "*a")}b`, "allow"],
    ["a variable that doubles", `a=xx; ${many(60, "a=$a$a; ")}echo $a`, "deny"],
    ["a variable that is appended to itself", `a=xx; ${many(60, "a+=$a; ")}echo $a`, "deny"],
    ["a replacement by a pattern of stars", `a=${many(500, "a")}; echo \${a//${many(30, "*a")}b/x}`, "deny"],
    ["a replacement that multiplies", `a=${many(500, "a")}; cat \${a//a/$a}`, "allow"],
    ["a removal by a pattern of stars", `a=${many(500, "a")}; echo \${a%%${many(60, "*a")}b}`, "allow"],
    ["braces beside each other", `echo ${many(900, "{a,b}")}`, "deny"],
    ["braces in each other", `echo ${many(900, "{a,")}${many(900, "}")}`, "deny"],
    ["numbers without end", "echo {1..999999999}", "deny"],
    ["loops in each other", `x=a; ${many(12, "for i in 1 2 3; do x=$x$i; ")}cat $x${many(12, "; done")}`, "ask"],
    ["very many variables", `${Array.from({ length: 4000 }, (_, at) => `v${at}=1; (:); `).join("")}echo`, "deny"],
    ["a path without end", `cat ${many(30_000, "x/")}`, "allow"],
    ["folders removed again and again", `rm -rf ${many(20_000, "src ")}`, "deny"],
    ["unclosed brackets", `ls ${many(20_000, "[")}`, "deny"],
    ["more than bash takes", `echo ${many(140_000, "a")}`, "deny"],
  ];
  test.each(growing)("%s is followed as far as the budget goes, and not beyond", (_, command, verdict) => {
    const most = openBudget(command);
    let spent = 0;
    const budget = {
      spend(steps: number) {
        spent += steps;
        most.spend(steps);
      },
    };
    expect(inspectCommand(policy(), command, budget).verdict).toMatchObject({ verdict });
    expect(spent).toBeLessThan(2_200_000);
  });
});

test("no length or count makes the check stop looking", () => {
  expect(check(`${"true; ".repeat(3000)}id`).verdict).not.toBe("allow");
  expect(check(`${"echo a | ".repeat(500)}cat /etc/passwd`).verdict).toBe("deny");
  expect(check(`echo ${"$(echo ".repeat(60)}$(id)${")".repeat(60)}`).verdict).not.toBe("allow");
  expect(check(`echo ${"$(echo ".repeat(2000)}id${")".repeat(2000)}`).verdict).toBe("deny");
});

test("every command is seen, wherever it stands", () => {
  const { commands } = inspectCommand(
    policy(),
    'a | b && c $(d "$(e)") < <(f); g() { h; }; [[ -n $(i) ]]; x=$(j) k <<E\n$(l)\nE\n',
  );
  expect([...commands].sort()).toEqual([..."abcdefhijkl"]);
});
