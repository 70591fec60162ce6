// Protected names below the top of the workspace, those that come into being later included, in the real box.
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openRedactor } from "../../../src/guard/redaction/redactor.ts";
import { bwrapWith, isRoot, runToEnd } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

/** A workspace with these files, and the box of this machine. */
async function scene(files: Readonly<Record<string, string>> = {}) {
  const { workspace, stewardHome, command } = await sandboxScene();
  const place = (path: string) => join(workspace, path);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(place(path)), { recursive: true });
    writeFileSync(place(path), text);
  }
  const { redact } = openRedactor({ known: [] });
  const sandbox = await bwrapWith(stewardHome, { redact });
  const run = (script: string) => runToEnd(sandbox, command(script));
  const aside = () => {
    const folder = join(stewardHome, "data", "set-aside");
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replace(/^[^/]+\//, ""),
      )
      .sort();
  };
  return { workspace, stewardHome, command, place, run, aside };
}

/** A Steward runs this until it has printed that it runs, and is killed. */
async function killSteward(stewardHome: string, workspace: string, script: string): Promise<void> {
  const program = fileURLToPath(import.meta.resolve("../../scenes/sandbox/sandbox-killed-steward.ts"));
  const steward = spawn(process.execPath, [program, stewardHome, workspace, script]);
  for await (const text of steward.stdout) if (String(text).includes("running")) steward.kill("SIGKILL");
}

const deep = "a/b/c";
const obeyed = [
  ".npmrc",
  ".envrc",
  ".bashrc",
  ".yarnrc.yml",
  ".mcp.json",
  ".vscode/x",
  ".husky/x",
  ".git/config",
  ".git/hooks/x",
];

test.each(obeyed)("%s three folders down can be read and neither written, moved nor removed", async (name) => {
  const path = `${deep}/${name}`;
  const { run, place } = await scene({ [path]: "own\n", [`${deep}/.git/HEAD`]: "x" });
  const { text } = await run(
    `cat ${path}; echo x >> ${path}; mv ${path} m; rm -f ${path}; ln -f ${path} l; chmod 777 ${path}; true`,
  );
  expect(text).toContain("own\n");
  expect(readFileSync(place(path), "utf8")).toBe("own\n");
});

const secrets = [".env", ".env.local", ".netrc", ".pgpass", "id_rsa", ".aws/credentials", ".ssh/key", ".ENV"];

test.each(secrets)("%s three folders down cannot be read", async (name) => {
  const path = `${deep}/${name}`;
  const { run } = await scene({ [path]: "sec" + "ret", [`${deep}/plain`]: "plain" });
  const script = `cat ${path} ${deep}/plain; cp -r ${deep} copy; mv a moved; cat moved/b/c/${name}; grep -r secret .; true`;
  const { text } = await run(script);
  expect([text.includes("plain"), text.includes("secret")]).toEqual([true, false]);
  expect((await run("grep -r secret . ; true")).text).not.toContain("secret");
});

test("settings that hold keys are shown without them, and cannot be changed", async () => {
  const token = "npm_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5";
  const npmrc = `registry=https://npm.example/\n//npm.example/:_authToken=${token}\n`;
  const config = `[remote "origin"]\n\turl = https://ann:${token}@git.example/x\n`;
  const { run, place } = await scene({
    ".npmrc": npmrc,
    "p/.npmrc": npmrc,
    "p/.git/config": config,
    "q/.npmrc": "a=1\n",
  });
  for (const path of [".npmrc", "p/.npmrc", "p/.git/config"]) {
    const { text } = await run(`rev ${path}; cat ${path}; echo evil >> ${path}; mv ${path} away; rm -f ${path}`);
    expect([path, text.includes(token), text.includes([...token].reverse().join(""))]).toEqual([path, false, false]);
    expect(text).toContain("example");
  }
  expect((await run("cat q/.npmrc")).text).toBe("a=1\n");
  expect(["p/.npmrc", "p/.git/config"].map((path) => readFileSync(place(path), "utf8"))).toEqual([npmrc, config]);
});

test("a file with keys that a command makes is set aside, an empty one and one of a package stay", async () => {
  const { run, aside, place } = await scene({ "p/x": "" });
  const { text } = await run(
    "touch p/.env.local; mkdir -p node_modules/m; echo K=1 > node_modules/m/.env; echo K=1 > p/.env; sleep 3",
  );
  expect(text).toContain('"p/.env" was set aside');
  expect([aside(), existsSync(place("p/.env"))]).toEqual([[".env"], false]);
  expect(["p/.env.local", "node_modules/m/.env"].map((path) => existsSync(place(path)))).toEqual([true, true]);
});

test("an example of a secret file is no secret", async () => {
  const { run } = await scene({ "app/.env.example": "KEY=" });
  expect((await run("cat app/.env.example")).text).toBe("KEY=");
});

const evil = "echo '[core]\n fsmonitor = x' >>";
const made: readonly (readonly [string, string, readonly string[]])[] = [
  ["a file that a shell runs", "mkdir p; echo x > p/.envrc", ["p/.envrc"]],
  ["a file on top whose name is spelled otherwise", "echo x > .NpmRc", [".NpmRc"]],
  ["a folder of an editor", "mkdir -p p/.vscode; echo x > p/.vscode/tasks.json", ["p/.vscode/tasks.json"]],
  ["a repository with a program in its config", `mkdir p; cd p; git init -q; ${evil} .git/config`, ["p/.git/config"]],
  ["a hook", "mkdir p; cd p; git init -q; echo x > .git/hooks/pre-commit", ["p/.git/hooks/pre-commit"]],
  [
    "a hook that a sample has become",
    "git init -q p; cd p/.git/hooks; mv pre-push.sample pre-push",
    ["p/.git/hooks/pre-push"],
  ],
  [
    "a repository that is moved into place",
    `git init -q p; cd p; mv .git g; ${evil} g/config; mv g .git`,
    ["p/.git/config"],
  ],
  ["a bare repository made by hand", `mkdir -p p/objects p/refs; echo x > p/HEAD; ${evil} p/config`, ["p/config"]],
  ["a bare repository on top", `mkdir objects refs; echo x > HEAD; ${evil} config`, ["config"]],
  ["a pointer to a repository", "mkdir p; echo 'gitdir: ../q' > p/.git", ["p/.git"]],
  ["a link with such a name", "mkdir p; echo x > q; ln -s ../q p/.npmrc", ["p/.npmrc"]],
  ["a second name of another file", "mkdir p; echo x > q; ln q p/.npmrc", ["p/.npmrc"]],
  ["a pipe", "mkdir p; mkfifo p/.bashrc", ["p/.bashrc"]],
  ["a shared folder of a repository", "git init -q p; echo ../q > p/.git/commondir", ["p/.git/commondir"]],
  [
    "modules",
    "git init -q p; mkdir -p p/.git/modules/m; echo x > p/.git/modules/m/config",
    ["p/.git/modules/m/config"],
  ],
  ["a name in a folder with a line break", "mkdir 'a\nb'; echo x > 'a\nb/.npmrc'", ["a\nb/.npmrc"]],
  ["what lies in a folder that is read-only", "mkdir s; echo x > s/.npmrc; chmod 555 s", ["s/.npmrc"]],
  ["a folder that is read-only", "mkdir -p s/.husky; echo x > s/.husky/x; chmod 555 s/.husky", ["s/.husky/x"]],
  ["a file that nobody may read", "mkdir s; echo x > s/.npmrc; chmod 0 s/.npmrc", ["s/.npmrc"]],
  [
    "times that are set back",
    "mkdir p; touch -d 2001-01-01 p; echo x > p/.npmrc; touch -d 2001-01-01 p/.npmrc p",
    ["p/.npmrc"],
  ],
];

test.each(made)("%s that a command makes is set aside, and the output says so", async (_name, script, wanted) => {
  const { run, aside, place } = await scene();
  const { text } = await run(script);
  const ends = aside().filter((path) => !path.endsWith(".sample"));
  expect(wanted.filter((path, at) => `/${path}`.endsWith(`/${ends[at]}`))).toEqual(wanted);
  for (const path of wanted) expect(existsSync(place(path))).toBe(false);
  expect(text).toMatch(/set aside: other programs run or obey it.*data\/set-aside/s);
});

test("a name in a folder whose name is no text is set aside", async () => {
  const { run, workspace } = await scene();
  const { text } = await run("mkdir \"$(printf 'a\\377b')\"; echo x > \"$(printf 'a\\377b')/.npmrc\"");
  const [folder] = readdirSync(workspace, { encoding: "buffer" }).filter((name) => name.includes(0xff));
  expect(readdirSync(Buffer.concat([Buffer.from(`${workspace}/`), folder ?? Buffer.of()]))).toEqual([]);
  expect(text).toContain("set aside");
});

test("a repository and a package that hold nothing of the kind stay as they are", async () => {
  const { run, aside } = await scene();
  const script =
    "git init -q p; cd p; git config user.name x; mkdir -p node_modules/m/.vscode; echo x > node_modules/m/.npmrc";
  const { text } = await run(script);
  expect([text, aside()]).toEqual(["", []]);
  // from now on it is protected
  expect((await run(`cd p; ${evil} .git/config; git config a.b c; git status -s`)).text).toContain(
    "Read-only file system",
  );
});

test("what was harmless when it was made and is not when it is changed is set aside", async () => {
  const { run, aside } = await scene();
  await run(`git init -q p; sleep 1.5; ${evil} p/.git/config`);
  expect(aside()).toEqual(["config"]);
});

test("while a command runs on, what it makes is set aside within seconds", async () => {
  const { run } = await scene();
  const { text } = await run(
    "mkdir p; echo x > p/.envrc; for i in $(seq 100); do [ -e p/.envrc ] || break; sleep 0.1; done; ls -A p; echo end",
  );
  expect(text.split("\n")[0]).toBe("end");
});

test("the owner's repository that is moved with its folder stays whole", async () => {
  const { run, aside, place } = await scene({ "p/.git/config": "[core]\n\thooksPath = x\n", "p/.git/HEAD": "x" });
  const { text } = await run("mv p q");
  expect([text, aside(), existsSync(place("q/.git/config"))]).toEqual(["", [], true]);
});

test("a link with a protected name protects what it leads to", async () => {
  const { run, workspace } = await scene({ "keys/prod": "sec" + "ret", "app/x": "" });
  symlinkSync("../keys/prod", join(workspace, "app", ".env"));
  expect((await run("cat app/.env keys/prod; true")).text).not.toContain("secret");
});

test("a folder that cannot be looked into cannot be changed", async () => {
  const { run, place } = await scene({ "shut/.git/config": "own\n" });
  chmodSync(place("shut"), 0);
  await run(`chmod 755 shut; ${evil} shut/.git/config`);
  chmodSync(place("shut"), 0o755);
  expect(readFileSync(place("shut/.git/config"), "utf8")).toBe("own\n");
});

test("what a command shuts away is set aside with all that is in it", async () => {
  const { run, place, aside } = await scene();
  await run(`mkdir p; git init -q p/r; ${evil} p/r/.git/config; chmod 0 p`);
  expect([existsSync(place("p/r/.git/config")), aside().some((path) => path.endsWith("config"))]).toEqual([
    false,
    true,
  ]);
});

test("a name in a folder that may be listed and not entered is set aside", async () => {
  const { run, place, aside } = await scene();
  await run("mkdir p; echo x > p/.npmrc; chmod 444 p");
  expect([existsSync(place("p/.npmrc")), aside().map((path) => basename(path))]).toEqual([false, [".npmrc"]]);
});

test("what cannot be set aside turns commands off until it is gone, after a restart too", async () => {
  const { run, place, stewardHome, command } = await scene();
  mkdirSync(join(stewardHome, "data"), { recursive: true });
  const obstacle = join(stewardHome, "data", "set-aside");
  writeFileSync(obstacle, "");
  expect((await run("mkdir p; echo x > p/.envrc")).text).toMatch(
    /"p\/.envrc" should have been set aside.*Commands are off/,
  );
  const refused = /"p\/.envrc" in .* Remove it; commands are off until then/;
  expect((await run("echo ran")).end.notStarted).toMatch(refused);
  const next = await bwrapWith(stewardHome);
  expect((await runToEnd(next, command("echo ran"))).end.notStarted).toMatch(refused);
  rmSync(place("p/.envrc"));
  expect((await run("echo ran")).text).toContain("ran");
});

test("what could not be set aside is set aside as soon as it can be", async () => {
  const { run, place, aside, stewardHome } = await scene();
  mkdirSync(join(stewardHome, "data"), { recursive: true });
  const obstacle = join(stewardHome, "data", "set-aside");
  writeFileSync(obstacle, "");
  await run("mkdir p; echo x > p/.envrc");
  rmSync(obstacle);
  const { text } = await run("echo ran");
  expect([
    text.startsWith("ran"),
    text.includes("set aside: other programs"),
    aside(),
    existsSync(place("p/.envrc")),
  ]).toEqual([true, true, [".envrc"], false]);
});

test("what a command made just before Steward was killed is set aside by the next one, and the owner's stays", async () => {
  const { run, place, aside, stewardHome, workspace } = await scene({ "own/.envrc": "own\n", "moved/.npmrc": "own\n" });
  await killSteward(stewardHome, workspace, "mv moved m; mkdir p; echo x > p/.envrc; echo running; sleep 97.6543");
  const { text } = await run("echo ran");
  expect([text.startsWith("ran"), text.includes('"p/.envrc" was set aside'), aside()]).toEqual([
    true,
    true,
    [".envrc"],
  ]);
  expect([place("own/.envrc"), place("m/.npmrc")].map((path) => readFileSync(path, "utf8"))).toEqual([
    "own\n",
    "own\n",
  ]);
});

test("what the owner makes between two commands stays, after a restart too", async () => {
  const { run, place, aside, stewardHome, command } = await scene();
  await run("true");
  mkdirSync(place("q"));
  writeFileSync(place("q/.envrc"), "own\n");
  const next = await bwrapWith(stewardHome);
  await runToEnd(next, command("true"));
  expect([readFileSync(place("q/.envrc"), "utf8"), aside()]).toEqual(["own\n", []]);
});

test("where there are too many, the folder around them cannot be written or seen", async () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`many/d${at}/.npmrc`, "own\n"]));
  const { run, place } = await scene({ ...many, "many/d7/.env": "sec" + "ret", "free/x": "" });
  const { text, end } = await run(
    "echo x >> many/d300/.npmrc; echo x > many/new; cat many/d7/.env; echo x > free/y; true",
  );
  expect([end.exitCode, text.includes("secret"), readFileSync(place("many/d300/.npmrc"), "utf8")]).toEqual([
    0,
    false,
    "own\n",
  ]);
  expect([existsSync(place("free/y")), existsSync(place("many/new"))]).toEqual([true, false]);
});

test(`it holds as ${isRoot ? "root" : "a plain user"} in a deep tree`, async () => {
  const path = `${Array.from({ length: 60 }, (_, at) => `d${at}`).join("/")}/.env`;
  const { run } = await scene({ [path]: "sec" + "ret" });
  expect((await run(`cat ${path}`)).text).toBe("");
});
