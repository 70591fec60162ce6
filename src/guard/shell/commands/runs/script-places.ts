import { z } from "zod";
import type { Site } from "../../objections.ts";
import { noteRun } from "./name-files.ts";

const Main = z.object({ main: z.string() });

/** Every file that node may take for the script of this name. */
export function noteScript(site: Site, script: string): void {
  for (const place of scriptPlaces(site, script)) noteRun(site, place);
}

export function scriptPlaces({ folder, policy }: Site, script: string): readonly string[] {
  const start = script.startsWith("/") ? script : `${folder}/${script}`;
  const manifest = `${script}/package.json`;
  const main = policy.files.lstat(start) === "folder" ? mainOf(policy.files.read(`${start}/package.json`)) : undefined;
  const inside = main === undefined ? [] : withEndings(`${script}/${main}`);
  return [...withEndings(script), manifest, ...inside];
}

function withEndings(path: string): readonly string[] {
  return ["", ".js", ".json", ".node", "/index.js"].map((ending) => path + ending);
}

function mainOf(manifest: string | undefined): string | undefined {
  try {
    return Main.parse(JSON.parse(manifest ?? "")).main;
  } catch {
    // without a readable one node looks for index.js, which is among the places anyhow
    return undefined;
  }
}

/** Every file that `python3 -m a.b` may take for the module before the library's own. */
export function modulePlaces(module: string): readonly string[] {
  const parts = module.split(".");
  return parts.flatMap((_, at) => {
    const path = parts.slice(0, at + 1).join("/");
    return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
  });
}

/** What a program obeys without being told where it lies, in the folder where it starts. */
const obeyedFiles: Readonly<Record<string, string>> = {
  make: "GNUmakefile makefile Makefile",
  gmake: "GNUmakefile makefile Makefile",
  just: "justfile Justfile .justfile",
  cargo: "Cargo.toml Cargo.lock build.rs .cargo/config.toml",
  go: "go.mod go.sum go.work",
  yarn: "package.json yarn.lock .yarnrc .yarnrc.yml",
  pnpm: "package.json pnpm-lock.yaml .npmrc .pnpmfile.cjs pnpm-workspace.yaml",
  tsc: "tsconfig.json",
  pytest: "pytest.ini pyproject.toml tox.ini setup.cfg conftest.py",
  unittest: "pyproject.toml setup.cfg",
  tox: "tox.ini pyproject.toml setup.cfg setup.py",
  pip: "setup.py pyproject.toml requirements.txt",
  rake: "Rakefile Gemfile",
  bundle: "Gemfile Gemfile.lock",
  mvn: "pom.xml",
  gradle: "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties",
  cmake: "CMakeLists.txt",
  composer: "composer.json composer.lock",
  vite: "vite.config.ts vite.config.js vite.config.mjs package.json",
};

export function noteObeyed(site: Site, program: string): void {
  for (const name of obeyedFiles[program]?.split(" ") ?? []) noteRun(site, name);
}
