// The program is put together where it runs: here with the real builder, from a program of a few lines.
import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const main = `import { basename } from "node:path";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { word } from "./words/word.ts";
const beside: string = readFileSync(new URL("./words/beside.txt", import.meta.url), "utf8");
new Worker(new URL("./words/counting-thread.ts", import.meta.url)).on("message", (counted: number) =>
  console.log([...process.argv.slice(2), word, beside, counted, basename(import.meta.dirname)].join("|")),
);`;

function scene() {
  const project = mkdtempSync(join(tmpdir(), "steward-program-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  cpSync(join(root, "scripts"), join(project, "scripts"), { recursive: true });
  mkdirSync(join(project, "src", "words"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  const write = (path: string, text: string) => writeFileSync(join(project, path), text);
  write("package.json", '{ "type": "module" }');
  write("package-lock.json", "{}");
  write("src/main.ts", main);
  write("src/words/word.ts", 'export const word: string = "one";');
  write("src/words/beside.txt", "beside");
  write(
    "src/words/counting-thread.ts",
    'import { parentPort } from "node:worker_threads";\nimport { word } from "./word.ts";\nparentPort?.postMessage(word.length);',
  );
  const node = (...args: string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
    return { stdout: stdout.trimEnd(), stderr };
  };
  const ensure = () => {
    const script = `import { ensureProgram } from "./scripts/ensure-program.mjs";
      console.log(await ensureProgram(process.cwd()));`;
    const { stdout, stderr } = node("--input-type=module", "-e", script);
    return { program: stdout, told: stderr };
  };
  const run = (program: string, ...args: string[]) => node("scripts/run-main.mjs", program, ...args);
  return { project, write, ensure, run, builds: () => readdirSync(join(project, "dist")) };
}

test("it is built once, and finds its files, its threads and its arguments", () => {
  const { project, ensure, run, builds } = scene();
  const { program, told } = ensure();
  expect({ told, folder: dirname(dirname(program)) }).toEqual({ told: "", folder: join(project, "dist") });
  expect(run(program, "two words", "--plain").stdout).toBe("two words|--plain|one|beside|3|src");
  expect(existsSync(join(dirname(program), "counting-thread.js"))).toBe(true);
  writeFileSync(program, 'console.log("as it was")');
  expect(ensure()).toEqual({ program, told: "" });
  expect(run(program).stdout).toBe("as it was");
  expect(builds()).toHaveLength(1);
});

test("a changed source builds another, and the last five stay for those that run", () => {
  const { write, ensure, run, builds } = scene();
  const first = ensure().program;
  write("src/words/word.ts", 'export const word = "second";');
  const second = ensure().program;
  for (const word of ["fourteen", "seventeen", "seven"]) {
    write("src/words/word.ts", `export const word = "${word}";`);
    ensure();
  }
  expect(run(ensure().program).stdout).toBe("seven|beside|5|src");
  expect(run(first).stdout).toBe("one|beside|3|src");
  write("src/words/word.ts", 'export const word = "the last";');
  ensure();
  expect(builds()).toHaveLength(5);
  expect(existsSync(second)).toBe(false);
});

test("a changed test builds nothing", () => {
  const { write, ensure } = scene();
  const { program } = ensure();
  write("src/words/word.test.ts", "");
  expect(ensure().program).toBe(program);
});

test("when it cannot be built, that is said and Steward runs from its sources", () => {
  const { project, write, ensure, run, builds } = scene();
  write("src/words/word.ts", "export const word = ;");
  const broken = ensure();
  expect(broken.told).toMatch(/^Steward starts slower .*, because it could not be built: .*word\.ts/s);
  expect(broken.program).toBe(join(project, "src", "main.ts"));
  expect(builds()).toEqual([]);
  write("src/words/word.ts", 'export const word = "mended";');
  rmSync(join(project, "scripts", "build-program.mjs"));
  expect(run(ensure().program).stdout).toBe("mended|beside|6|src");
});

test("two that start at once end up with one", async () => {
  const { project, builds } = scene();
  const script = `import { ensureProgram } from "./scripts/ensure-program.mjs";
    console.log(await ensureProgram(process.cwd()));`;
  const one = () =>
    new Promise<string>((resolve) =>
      execFile(process.execPath, ["--input-type=module", "-e", script], { cwd: project }, (_, stdout, stderr) =>
        resolve(stdout + stderr),
      ),
    );
  const [first, ...others] = await Promise.all([one(), one(), one()]);
  expect(others).toEqual([first, first]);
  expect(builds()).toHaveLength(1);
});
