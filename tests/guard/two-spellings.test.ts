// One place, many spellings: whatever a path is called, and whatever a shell makes of a word, the same rule must meet it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insideWorkspace } from "../../src/guard/shell/paths/seen-path.ts";
import { type LinkedWorkspace, openLinkedWorkspace, secret } from "../scenes/guard/linked-workspace.ts";

let scene: LinkedWorkspace;
beforeAll(() => {
  scene = openLinkedWorkspace();
});
afterAll(() => scene.remove());

const filled = (text: string) => text.replaceAll("{R}", scene.real).replaceAll("{W}", scene.spelled);
const verdictOf = async (tool: string, args: Record<string, unknown>) => (await scene.decide(tool, args)).verdict;
const command = (line: string) => verdictOf("bash", { command: filled(line) });

describe("a file tool is asked about, in every spelling of", () => {
  test.each([
    "AGENTS.md",
    "{R}/AGENTS.md",
    "{W}/AGENTS.md",
    "./AGENTS.md",
    ".//AGENTS.md",
    "{R}//AGENTS.md",
    "{R}/./AGENTS.md",
    "{R}/project/../AGENTS.md",
    "{W}/../workspace/AGENTS.md",
    "project/../AGENTS.md",
    "project/up/AGENTS.md",
    "{R}/project/up/AGENTS.md",
    "AGENTS.md/",
    "agents.MD",
    "AGENTS\u200b.md",
    "AGENT\u017f.md",
    "\uff21\uff27\uff25\uff2e\uff34\uff33.md",
    "AGENTS.md.",
    "AGENTS.md ",
    "AGENTS.md::$DATA",
    "link-to-agents",
    "{R}/link-to-agents",
    "link-to-self/AGENTS.md",
    "link-to-self/link-to-self/AGENTS.md",
    "/proc/self/root{R}/AGENTS.md",
    "/proc/self/cwd/AGENTS.md",
    "/proc/thread-self/root{R}/AGENTS.md",
    "link-to-root{R}/AGENTS.md",
    "link-to-cwd/AGENTS.md",
    "project/agents-twin.txt",
    "skills/mail/SKILL.md",
    "{R}/skills/mail/SKILL.md",
    "SKILLS/new/SKILL.md",
    "link-to-skills/new/SKILL.md",
    "link-to-skills/mail/../mail/SKILL.md",
    "soul.md",
    "{R}/HEARTBEAT.md",
    "agents/other.md",
  ])("what steers the assistant: %s", async (path) => {
    expect(await verdictOf("write", { path: filled(path), content: "x" })).not.toBe("allow");
  });

  test.each([
    "project/.git/config",
    "project/.git/hooks/post-checkout",
    "{R}/project/.git/hooks/post-checkout",
    "project/.GIT/config",
    "project/.g\u200cit/config",
    "project/git~1/config",
    "project/.git./config",
    "project/.git::$INDEX_ALLOCATION/config",
    "deep/er/.git/config",
    "new/.git",
    "project/.git/modules/a/config",
    "project/.npmrc",
    "project/.NPMRC",
    "new/.envrc",
    "project/.envrc",
    "project/.vscode/tasks.json",
    "project/.husky/pre-commit",
    "project/.idea/workspace.xml",
    "sub/.bashrc",
    "sub/.zshenv",
    "sub/.mcp.json",
    "sub/.claude/settings.json",
    "bare/config",
    "bare/hooks/post-update",
    "bare/commondir",
    "half/HEAD",
    "link-to-self/project/.git/config",
  ])("what other programs obey, at any depth: %s", async (path) => {
    for (const tool of ["write", "delete"])
      expect(await verdictOf(tool, { path: filled(path), ...(tool === "write" && { content: "x" }) })).not.toBe(
        "allow",
      );
  });
});

test.each(["project/notes.txt", "./project/notes.txt", "{R}/project/notes.txt", "{W}/project/notes.txt"])(
  "an ordinary file stays one, also as %s",
  async (path) => {
    expect(await verdictOf("read", { path: filled(path) })).toBe("allow");
    expect(await verdictOf("write", { path: filled(path), content: "x" })).toBe("allow");
  },
);

describe("no tool opens, in every spelling of", () => {
  test.each([
    ".env",
    "{R}/.env",
    "{W}/.env",
    "./.env",
    ".ENV",
    ".env.local",
    ".env.",
    ".env\u200d",
    ".\uff45\uff4e\uff56",
    "project/.env",
    "project//.env",
    "{R}/project/.env",
    "project/deep/../.env",
    "project/.env.production",
    "project/.env~",
    "project/.env.bak",
    "project/.#.env",
    "project/deep/down/.env",
    "project/up/.env",
    "link-to-env",
    "link-to-self/.env",
    "link-to-root{R}/.env",
    "/proc/self/root{R}/.env",
    "project/env-twin.txt",
    "project/deep/.netrc",
    "project/.ssh/key",
    "project/.SSH/key",
    "keys/id_ed25519",
    "ENV~1",
  ])("keys and passwords: %s", async (path) => {
    for (const tool of ["read", "write", "edit", "delete", "list", "grep"]) {
      const more = {
        write: { content: "x" },
        edit: { edits: [{ oldText: "a", newText: "b" }] },
        grep: { pattern: "K" },
      }[tool];
      expect([tool, await verdictOf(tool, { path: filled(path), ...more })]).toEqual([tool, "deny"]);
    }
  });

  test.each([
    ["grep", { pattern: "spellings" }],
    ["grep", { pattern: "spellings", path: "project" }],
    ["grep", { pattern: "spellings", glob: "**/.env*" }],
    ["grep", { pattern: "spellings", glob: ".e*" }],
    ["grep", { pattern: "spellings", glob: "!*.md" }],
    ["grep", { pattern: "spellings", path: "project/deep" }],
    ["grep", { pattern: "spellings", path: "{R}/project", mode: "count" }],
    ["grep", { pattern: "spellings", path: "project/.ssh" }],
    ["grep", { pattern: "spellings", path: "project/.env.production" }],
    ["grep", { pattern: "spellings", path: "project/deep/.netrc" }],
  ])("the words are not found either: %s %j", async (tool, args) => {
    const output = await scene.output(tool, JSON.parse(filled(JSON.stringify(args))));
    // a second name that the owner gave the file says nothing of what it holds
    expect(output.replace(/project\/env-twin.txt\n.*/, "")).not.toContain(secret);
    expect(output).not.toContain("down/.env");
  });
});

describe("no command opens", () => {
  test.each([
    "cat .env",
    "cat project/.env",
    "cat project/.en[v]",
    "cat project/.e*",
    "cat project/.e?v",
    "cat */.env",
    "head -1 project/*/down/.env",
    "wc -c p*/.e[m-o]v",
    'cat .e""nv',
    "cat '.env'",
    "cat .e\\nv",
    'cat ".e"nv',
    "cat $'\\x2eenv'",
    "cat .{env,x}",
    "cat project/.{e,x}nv",
    "cat .env{,.local}",
    "x=.env; cat $x",
    "x=env; cat .$x",
    'x=.e; y=nv; cat "$x$y"',
    "for f in .env .envrc; do cat $f; done",
    "for f in project/.e*; do head $f; done",
    "cd project && cat .env",
    "cd project/deep && cat ../.env",
    "cd project; cat deep/down/.env",
    "cat < project/.env",
    "while true; do head -1; break; done < .env",
    "sort .env",
    "uniq project/.env out.txt",
    "cut -d= -f2 .env",
    "tr a b < .env",
    "sed -n 1p .env",
    "sed '' project/.env.production",
    "awk '{print}' .env",
    "jq -R . .env",
    "jq -n --rawfile a .env '$a'",
    "diff .env /dev/null",
    "grep -f .env data.txt",
    "grep KEY project/.env",
    "grep -r KEY project/.env",
    "rg KEY .env",
    "ls -la .env && cat data.txt",
    "cp .env copy.txt",
    "cp -r project/.env out",
    "cp project/.ssh/key out",
    "cp -t out .env",
    "mv .env other",
    "tar cf a.tar .env",
    "tar cf a.tar -C project .env",
    "git show :.env",
    "git show HEAD:project/.env",
    "git -C project show HEAD:.env",
    "git show HEAD:./.env",
    "git log -p -- .env",
    "git -C project diff HEAD -- .env",
    "git diff ':(icase).ENV'",
    "git blame .env",
    "git cat-file -p HEAD:.env",
    "git archive HEAD .env",
    "git stash push .env",
    "cat .{e..e}nv",
    "cat .e{n,}v",
    "cat < <(head .env)",
    "echo $(cat .env)",
    "cp --parents project/.env out",
    "mv project/.git/../.env x",
    "[ .env -nt data.txt ]",
    "git add .env",
    "git log -L1,2:.env",
    "node run.js .env",
    "node run.js --file=.env",
    "node run.js --file project/.e*",
    "cd project && npm test -- .env",
    "python3 run.py .env",
    "unzip -p .env",
    "date -r .env",
    "test -f .env",
    "[[ -s project/.env ]]",
    "cat link-to-env",
    "cat project/up/.env",
    "cat link-to-self/.env",
    "cat project/env-twin.txt",
    "cat project/*-twin.txt",
    "cat {R}/.env",
    "cat {W}/.env",
    "cat {W}/../workspace/.env",
    "cat /proc/self/cwd/.env",
    "cat /proc/self/root{R}/.env",
    "cat link-to-cwd/.env",
    "cat .ENV",
    "cat project/deep/.netrc",
    "cat project/.ssh/key",
    "echo x > .env",
    "echo x >> project/.env.production",
    "touch new/.env",
    "rm project/.env",
    "find . -name '.e*' -delete",
    "find . -name '.env' -delete",
    "find project -name '.env.*' -delete",
    "rm -r project/deep",
    "mv project/deep elsewhere",
    "xxd .env",
    "make -f .env",
  ])("keys and passwords: %s", async (line) => {
    expect(await command(line)).toBe("deny");
  });

  test.each([
    "cat $'.\\145nv'",
    "cat $(echo .env)",
    "cat `printf .env`",
    "cat $HOME/.env",
    "x=$(cat data.txt); cat $x",
  ])("what cannot be known before: %s", async (line) => {
    expect(await command(line)).not.toBe("allow");
  });
});

describe("no command changes unasked, at any depth", () => {
  test.each([
    "echo x > AGENTS.md",
    "echo x > {R}/AGENTS.md",
    "echo x > {W}/AGENTS.md",
    "echo x > A*.md",
    'echo x > AGEN""TS.md',
    "echo x > agents.md",
    "f=AGENTS.md; echo x > $f",
    "cd project && echo x > ../AGENTS.md",
    "echo x > link-to-agents",
    "echo x > project/up/AGENTS.md",
    "echo x > project/agents-twin.txt",
    "sed -i s/kind/evil/ project/agents-twin.txt",
    "cp data.txt link-to-skills/mail/SKILL.md",
    "cp -r parts/. .",
    "cp -r parts/* .",
    "cp -rT parts .",
    "mv parts/* .",
    "tar xf a.tar AGENTS.md",
    "tar xf a.tar -C project .git/config",
    "tar xf a.tar -C project/.git .",
    "unzip a.zip -d project/.git/hooks",
    "unzip a.zip project/.npmrc",
    "cp data.txt project/.git/config",
    "cp data.txt project/.git/hooks/pre-commit",
    "cp data.txt p*/.g*/config",
    "mv data.txt project/.git/hooks/",
    "sed -i s/a/b/ project/.git/config",
    "echo x >> project/.npmrc",
    "echo x > project/.envrc",
    "echo x > new/.envrc",
    "mkdir -p new/.vscode",
    "touch new/.git",
    "rm -r project/.git",
    "mv project/.git elsewhere",
    "rm -r project",
    "echo x > bare/config",
    "cp data.txt bare/hooks/post-update",
    "echo 'ref: refs/heads/main' > half/HEAD",
    "mkdir -p n/objects n/refs && echo x > n/HEAD",
    "mkdir objects refs; cp data.txt HEAD",
    "git -C project config core.pager ./evil",
    "git init --template=parts new",
    "git clone data.txt x",
    "git submodule add ./x",
    "cat /proc/self/root{R}/data.txt",
    "cat link-to-root{R}/data.txt",
    "cat link-to-cwd/data.txt",
    "git -C bare status",
    "cd bare && git status",
    "cd bare/refs && git log",
    "sort -o project/.npmrc data.txt",
    "curl -s https://example.com -o project/.npmrc",
    "node run.js AGENTS.md",
    "git checkout -- AGENTS.md",
  ])("%s", async (line) => {
    expect(await command(line)).not.toBe("allow");
  });
});

describe("a look stays free, and is free only where it is one:", () => {
  const careful = (line: string) =>
    openDecision(async (asking) => (await asking.decide("bash", { command: line })).verdict);

  test.each([
    "git -C project status",
    "cd project && git log && git diff",
    "git -C project show HEAD:notes.txt",
    "cat project/.env.example",
    "cat project/notes.txt AGENTS.md",
    "grep -rn .env project",
    "grep -r KEY .",
    "ls -la project",
    "echo .env",
    "cat data-twin.txt",
    "find . -name .env",
  ])("%s runs unasked", async (line) => {
    expect(await careful(line)).toBe("allow");
  });

  test.each([
    "git -C watched status",
    "cd watched/inner && git status",
    "git -C hooked status",
    "git -C outer status",
    "git -C pointing log",
    "git -C project commit -m x",
    "cd project && git status && npm test",
    "node run.js",
    "git -C project diff --output=x",
  ])("%s is asked about", async (line) => {
    expect(await careful(line)).not.toBe("allow");
  });

  async function openDecision<Result>(use: (asking: LinkedWorkspace) => Promise<Result>): Promise<Result> {
    const asking = openLinkedWorkspace({ mode: "ask" });
    try {
      return await use(asking);
    } finally {
      asking.remove();
    }
  }
});

describe("an approval is void when this changes between the answer and the run:", () => {
  test.each([
    ["node run.js", "run.js"],
    ["node ./run", "run.js"],
    ["node 'run.js'", "run.js"],
    ["node r\\un.js", "run.js"],
    ['node r""un.js', "run.js"],
    ["node r*.js", "run.js"],
    ["node {run,run}.js", "run.js"],
    ["x=run.js; node $x", "run.js"],
    ["node {R}/run.js", "run.js"],
    ["node {W}/run.js", "run.js"],
    ["node link-to-self/run.js", "run.js"],
    ["node project", "project/lib/entry.js"],
    ["node project", "project/package.json"],
    ["cd project && node .", "project/lib/entry.js"],
    ["cd project && node ./before", "project/before.js"],
    ["cd project && node before", "project/before"],
    ["cd project && node 'with space.js'", "project/with space.js"],
    ["cd project && node with\\ space", "project/with space.js"],
    ["cd project && npm test", "project/package.json"],
    ["cd project && npm test", "project/before.js"],
    ["cd project && npm t", "project/run-tests.js"],
    ["cd project && npm run test", "project/node_modules/.bin/tool"],
    ["cd project && npm run more", "project/node_modules/.bin/tool"],
    ["cd project && npm run build", "project/.npmrc"],
    ["cd project/lib && npm test", "project/package.json"],
    ["cd project/lib && npm test", "project/lib/package.json"],
    ["cd project && npx --no tool", "project/node_modules/.bin/tool"],
    ["cd project && npx --no-install tool", "project/package.json"],
    ["cd project && python3 mod", "project/mod/__main__.py"],
    ["python3 -m json.tool data.txt", "json/tool.py"],
    ["python3 -m json.tool data.txt", "json.py"],
    ["cd project && python3 -m pytest", "project/conftest.py"],
    ["cd project && make", "project/Makefile"],
    ["cd project && make", "project/GNUmakefile"],
    ["cd project && yarn test", "project/package.json"],
    ["frobnicate --config=data.txt", "data.txt"],
    ["frobnicate -cdata.txt", "data.txt"],
    ["frobnicate @data.txt", "data.txt"],
    ["cd project && git commit -m x", "project/.git/hooks/pre-commit"],
    ["cd project && git commit -m x", "project/.git/config"],
    ["cd project/lib && git commit -m x", "project/.git/hooks/commit-msg"],
    ["git -C project push", "project/.git/config"],
    ["sed -i s/a/b/ data.txt", "data.txt"],
    ["cp data.txt copy.txt", "data.txt"],
    ["cp d*.txt copies", "data.txt"],
  ])("%s: %s", async (line, path) => {
    const own = openLinkedWorkspace({ mode: "ask" });
    try {
      const args = { command: line.replaceAll("{R}", own.real).replaceAll("{W}", own.spelled) };
      const before = await own.bindingOf("bash", args);
      expect(await own.bindingOf("bash", args)).toBe(before);
      own.put(path, path.endsWith("package.json") ? '{"scripts":{"test":"node evil.js"}}' : "something else entirely");
      expect(await own.bindingOf("bash", args)).not.toBe(before);
    } finally {
      own.remove();
    }
  });

  test.each(["cp d*.txt copies", "cat d*.txt"])("%s: a further file that the glob meets", async (line) => {
    const own = openLinkedWorkspace({ mode: "ask" });
    try {
      const before = await own.bindingOf("bash", { command: line });
      own.put("dagger.txt", "x");
      expect(await own.bindingOf("bash", { command: line })).not.toBe(before);
    } finally {
      own.remove();
    }
  });

  test("what has nothing to do with it changes nothing", async () => {
    const args = { command: "cd project && npm test" };
    const before = await scene.bindingOf("bash", args);
    scene.put("unrelated.txt", "x");
    expect(await scene.bindingOf("bash", args)).toBe(before);
  });
});

describe("an always does not hold where nobody can say what would run:", () => {
  test.each([
    ["npm test", "allow"],
    ["node run.js", "allow"],
    ["frobnicate data.txt", "allow"],
    ["npm test -w project", "ask"],
    ["npm run build --workspaces", "ask"],
    ["cat $(head -1 data.txt)", "ask"],
    ["frobnicate $(head -1 data.txt)", "ask"],
    ["node run.js AGENTS.md", "ask"],
  ])("%s: %s", async (line, verdict) => {
    const own = openLinkedWorkspace({ mode: "ask" }, true);
    try {
      own.put("package.json", '{"scripts":{"test":"true"}}');
      expect((await own.decide("bash", { command: line })).verdict).toBe(verdict);
    } finally {
      own.remove();
    }
  });
});

test("the log knows a file by one name, however it was spelled", () => {
  const spellings = ["project/notes.txt", "{R}/project/notes.txt", "{W}/project/notes.txt", "./project//Notes.TXT"];
  const known = spellings.map((path) => insideWorkspace(filled(path), scene.spelled));
  expect(new Set(known)).toEqual(new Set(["project/notes.txt"]));
});
