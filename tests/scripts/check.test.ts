// Every checker is shown failing on a planted fault, because a checker that cannot fail is worse than none.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "steward-checks-"));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

describe("the walls", () => {
  const check = () => run("scripts/check-layers.mjs", "src");

  test("a downward import is allowed", () => {
    write("src/store/event-log.ts", 'import { Event } from "../contract/event.ts";');
    write("src/contract/event.ts", "export type Event = string;");
    expect(check()).toMatchObject({ code: 0 });
  });

  test("an upward import is refused, even of a type", () => {
    write("src/store/event-log.ts", 'import type { Turn } from "../agent/turn.ts";');
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("store may not import agent") });
  });

  test("an upward import that happens only at run time is refused", () => {
    write("src/tools/shell.ts", 'const turn = await import("../agent/turn.ts");');
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("tools may not import agent") });
  });

  test("a room that is not in the table is refused", () => {
    write("src/utils/text.ts", 'import { Event } from "../contract/event.ts";');
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining('room "utils" is not in the table') });
  });

  test("the wiring may not be imported by a room", () => {
    write("src/queue/run.ts", 'import { assistant } from "../assistant.ts";');
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("only main.ts and tests") });
  });

  test("of the steward the page may import the nouns only", () => {
    write("src/store/event-log.ts", 'import { Event } from "../contract/event.ts";');
    write("web/src/chat/page.ts", 'import type { Event } from "../../../src/contract/event.ts";\nimport "./words.ts";');
    expect(run("scripts/check-layers.mjs", "src", "web/src")).toMatchObject({ code: 0 });
    write("web/src/chat/page.ts", 'import type { Log } from "../../../src/store/event-log.ts";');
    const { code, output } = run("scripts/check-layers.mjs", "src", "web/src");
    expect([code, output]).toEqual([1, expect.stringContaining("web may not import store")]);
  });

  test("a tree without any imports is not a success", () => {
    write("src/contract/event.ts", "export type Event = string;");
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("no imports found") });
  });

  test("ARCHITECTURE.md draws the walls that are checked", () => {
    const drawn = roomsTable(readFileSync(join(repository, "ARCHITECTURE.md"), "utf8"));
    const rooms = [...drawn.keys()];
    const checker = readFileSync(join(repository, "scripts", "check-layers.mjs"), "utf8");
    const checked = [...checker.matchAll(/^ {2}(\w+): \[/gm)].map(([, room]) => room);
    expect([...rooms].sort()).toEqual(checked.sort());
    for (const room of rooms) {
      const imports = rooms.filter((other) => other !== room).map((other) => `import "../${other}/x.ts"; // ${other}`);
      write(`src/${room}/every.ts`, imports.join("\n"));
    }
    const { output } = check();
    const refused = new Set(
      [...output.matchAll(/: (\w+) may not import (\w+)/g)].map(([, from, to]) => `${from} ${to}`),
    );
    for (const room of rooms) {
      const allowed = rooms.filter((other) => other !== room && !refused.has(`${room} ${other}`));
      expect({ room, allowed: allowed.sort() }).toEqual({ room, allowed: [...(drawn.get(room) ?? [])].sort() });
    }
    expect(output).not.toContain("is not in the table");
  });
});

describe("the guides", () => {
  const check = () => run("scripts/check-docs.mjs", ".");

  beforeEach(() => {
    write("package.json", '{ "scripts": { "check": "true", "start": "true", "test": "true" } }');
    write("docs/guide.md", "All is well.");
    write(
      "src/main.ts",
      "console.log('Usage: steward\\n\\nCommands:\\n  chat [options]  talk\\n  status          look\\n');",
    );
  });

  test("guides that name what exists pass", () => {
    write("README.md", "`src/main.ts` [guide](docs/guide.md)\n```sh\nnpm run check\nnpx steward status\n```\n");
    expect(check()).toEqual({ code: 0, output: expect.stringContaining("4 paths, commands and links") });
  });

  test.each([
    ["a missing file", "See `src/gone.ts`.", "`src/gone.ts` does not exist"],
    ["a missing folder", "See `library/`.", "`library/` does not exist"],
    ["a file named without its folder", "See `gone.ts`.", "`gone.ts` does not exist"],
    ["an unknown npm script", "Run `npm run deploy`.", "names no script of package.json"],
    ["an unknown npm script in a fenced block", "```sh\nnpm run deploy\n```\n", "names no script of package.json"],
    ["an unknown steward command", "Run `steward dance`.", "names no steward command"],
    ["an unknown command behind npm start", "```sh\n$ npm start -- dance\n```\n", "names no steward command"],
    ["a link that leads nowhere", "[more](docs/gone.md#part)", "the link to docs/gone.md#part leads nowhere"],
  ])("%s is found", (_, text, problem) => {
    write("README.md", text);
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining(problem) });
  });

  test("the user's own folder and model names are not taken for paths of the project", () => {
    write("README.md", "`~/.steward/config.json` `anthropic/claude` `and/or` [guide](docs/guide.md)");
    expect(check()).toMatchObject({ code: 0 });
  });

  test("a program that lists no commands is a problem, not a reason to skip", () => {
    write("src/main.ts", "throw new Error('broken');");
    write("README.md", "Run `steward status`.");
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("lists no commands") });
  });

  test("guides in which nothing was found to check are not a success", () => {
    write("README.md", "Nothing here.");
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("no paths, commands or links found") });
  });
});

describe("lint", () => {
  const check = () => run("node_modules/@biomejs/biome/bin/biome", "check", "--colors=off");

  beforeEach(() => {
    cpSync(join(repository, "biome.json"), join(tree, "biome.json"));
    write("src/contract/fine.ts", "export const fine = 1;\n");
  });

  test("fine code passes", () => {
    expect(check()).toMatchObject({ code: 0 });
  });

  test.each([
    ["a cycle of types", "noImportCycles", 'import type { B } from "./b.ts";\n\nexport type A = B;\n'],
    ["the environment read outside main.ts", "noProcessEnv", "export const home = process.env.HOME;\n"],
    ["a promise nobody waits for", "noFloatingPromises", "async function go(): Promise<void> {}\ngo();\n"],
    ["a default export", "noDefaultExport", "export default 1;\n"],
    ["a barrel", "noBarrelFile", 'export { fine } from "./fine.ts";\n'],
    [
      "a file of more than 300 lines",
      "noExcessiveLinesPerFile",
      "export const a = [\n".concat("  1000000,\n".repeat(301), "];\n"),
    ],
  ])("%s is found", (_, rule, code) => {
    write("src/contract/a.ts", code);
    write("src/contract/b.ts", 'import type { A } from "./a.ts";\n\nexport type B = A;\n');
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining(rule) });
  });
});

describe("dead code", () => {
  const check = (...options: string[]) => run("node_modules/knip/bin/knip.js", "--no-progress", ...options);

  beforeEach(() => {
    cpSync(join(repository, "knip.config.ts"), join(tree, "knip.config.ts"));
    write("package.json", '{ "name": "planted", "type": "module" }');
    write("src/main.ts", 'import { used } from "./contract/used.ts";\n\nused();\n');
    write("src/contract/used.ts", "export function used(): void {}\n");
  });

  test("an export that nobody imports is found", () => {
    write("src/contract/used.ts", "export function used(): void {}\nexport function forgotten(): void {}\n");
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("forgotten") });
  });

  test("a file that nobody imports is found", () => {
    write("src/contract/orphan.ts", "export const orphan = 1;\n");
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("src/contract/orphan.ts") });
  });

  test("an export that only a test imports is found in production mode", () => {
    write("src/contract/used.ts", "export function used(): void {}\nexport function tested(): void {}\n");
    write("src/contract/used.test.ts", 'import { tested } from "./used.ts";\n\ntested();\n');
    expect(check("--production")).toMatchObject({ code: 1, output: expect.stringContaining("tested") });
  });

  test("a dependency that nobody imports is found", () => {
    write("package.json", '{ "name": "planted", "type": "module", "dependencies": { "left-pad": "1.0.0" } }');
    expect(check()).toMatchObject({ code: 1, output: expect.stringContaining("left-pad") });
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function run(script: string, ...args: readonly string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, script), ...args], {
    cwd: tree,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  return { code: status, output: `${stdout}${stderr}` };
}

// rows like "| store, models | contract |" of the first table below the heading
function roomsTable(text: string): Map<string, readonly string[]> {
  const [table = ""] = /^\|(?:.*\n\|)*.*$/m.exec(text.split("### Who may import whom")[1] ?? "") ?? [];
  const rows = [...table.matchAll(/^\| ([a-z, ]+) \| ([a-z, ]+) \|$/gm)];
  return new Map(
    rows
      .filter(([, rooms]) => rooms !== "room")
      .flatMap(([, rooms = "", imports = ""]) =>
        rooms.split(", ").map((room) => [room, imports === "nothing" ? [] : imports.split(", ")] as const),
      ),
  );
}
