// A workspace that is reached through a link, with everything in it that has two spellings, and the real guard before it.
import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { Settings } from "../../../src/contract/settings.ts";
import { type BoundCall, defineTool, type Tool, textResult } from "../../../src/contract/tool.ts";
import { openGuard } from "../../../src/guard/guard.ts";
import type { Decision, GuardedCall } from "../../../src/guard/judgement.ts";
import { openShellJudge } from "../../../src/guard/shell/judge-command.ts";
import { nothingTold } from "../../../src/guard/told-bits.ts";
import { hashWorkspaceFile } from "../../../src/tools/files/hash-workspace-file.ts";
import { fileToolsIn } from "../tools/file-tools-in.ts";

export const secret = "two-spellings-of-one-secret";

const plainConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";
const files: Readonly<Record<string, string>> = {
  "AGENTS.md": "Be kind.\n",
  "MEMORY.md": "- likes tea\n",
  "skills/mail/SKILL.md": "mail\n",
  "memory/day.md": "a day\n",
  ".env": `KEY=${secret}\n`,
  ".env.local": `KEY=${secret}\n`,
  "project/.env": `KEY=${secret}\n`,
  "project/.env.production": `KEY=${secret}\n`,
  "project/deep/down/.env": `KEY=${secret}\n`,
  "project/deep/.netrc": `machine a password ${secret}\n`,
  "project/.ssh/key": `${secret}\n`,
  "project/.env.example": "KEY=fill me in\n",
  "project/.git/HEAD": "ref: refs/heads/main\n",
  "project/.git/config": plainConfig,
  "project/.git/hooks/pre-commit": "#!/bin/sh\n",
  "project/.git/objects/keep": "",
  "project/.git/refs/heads/keep": "",
  "project/.npmrc": "",
  "project/.vscode/settings.json": "{}\n",
  "project/notes.txt": "notes\n",
  "project/package.json": JSON.stringify({
    main: "lib/entry.js",
    scripts: {
      pretest: "node before.js",
      test: "node run-tests.js && npm run more",
      more: "tool --fast",
      build: "true",
    },
  }),
  "project/before.js": "1\n",
  "project/run-tests.js": "1\n",
  "project/lib/entry.js": "1\n",
  "project/node_modules/.bin/tool": "1\n",
  "project/with space.js": "1\n",
  "project/mod/__main__.py": "1\n",
  "project/Makefile": "all:\n\ttrue\n",
  "run.js": "1\n",
  "data.txt": "data\n",
  "bare/HEAD": "ref: refs/heads/main\n",
  "bare/objects/keep": "",
  "bare/refs/keep": "",
  "half/objects/keep": "",
  "half/refs/keep": "",
  "watched/.git/HEAD": "ref: refs/heads/main\n",
  "watched/.git/config": "[core]\n\tfsmonitor = ./evil\n",
  "watched/.git/objects/keep": "",
  "watched/.git/refs/keep": "",
  "watched/inner/.git/keep": "",
  "hooked/.git/config": plainConfig,
  "hooked/.git/hooks/post-index-change": "#!/bin/sh\n",
  "outer/.git/config": plainConfig,
  "outer/.git/index": "DIRC\0\0\0\u0002\0\0\0\u0001\0\0\xe0\0link",
  "pointing/.git": "gitdir: ../watched/.git\n",
  "parts/AGENTS.md": "Be evil.\n",
  "parts/.env": "KEY=other\n",
};

const links: Readonly<Record<string, string>> = {
  "link-to-agents": "AGENTS.md",
  "link-to-skills": "skills",
  "link-to-env": "project/.env",
  "link-to-self": ".",
  "link-to-cwd": "/proc/self/cwd",
  "link-to-root": "/proc/self/root",
  "link-out": "/etc",
  "link-gone": "nowhere/at/all",
  "project/up": "..",
  "project/.envrc": "notes.txt",
};

export type LinkedWorkspace = {
  /** Through the link, and where it leads. */
  spelled: string;
  real: string;
  put(path: string, content: string): void;
  decide(tool: string, args: unknown, labels?: readonly string[]): Promise<Decision>;
  bindingOf(tool: string, args: unknown): Promise<string>;
  output(tool: string, args: unknown): Promise<string>;
  remove(): void;
};

export function openLinkedWorkspace(
  guardSettings: Record<string, unknown> = { mode: "auto" },
  isAlwaysAllowed = false,
): LinkedWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "steward-spellings-")));
  const real = join(base, "real-home", "workspace");
  const spelled = join(base, "home", "workspace");
  mkdirSync(real, { recursive: true });
  symlinkSync("real-home", join(base, "home"));
  for (const [path, content] of Object.entries(files)) put(path, content);
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(real, path));
  linkSync(join(real, "AGENTS.md"), join(real, "project/agents-twin.txt"));
  linkSync(join(real, "project/.env"), join(real, "project/env-twin.txt"));
  linkSync(join(real, "data.txt"), join(real, "data-twin.txt"));
  chmodSync(join(real, "project/node_modules/.bin/tool"), 0o755);
  const settings = Settings.parse({ guard: guardSettings });
  const tools = [...fileToolsIn(join(base, "data")), commandTool];
  const guard = openGuard({
    settings: settings.guard,
    shell: async () => openShellJudge(settings, spelled),
    commandsHaveNetwork: false,
    isGranted: async () => isAlwaysAllowed,
    hashFile: hashWorkspaceFile,
  });
  return {
    spelled,
    real,
    put,
    decide: (tool, args, labels = []) => guard.decide(guarded(tool, args, labels)),
    bindingOf: (tool, args) => guard.bindingOf(guarded(tool, args, [])),
    output: async (tool, args) => (await bind(tool, args).call.run(context())).output,
    remove: () => rmSync(base, { recursive: true }),
  };

  function put(path: string, content: string): void {
    mkdirSync(dirname(join(real, path)), { recursive: true });
    writeFileSync(join(real, path), content, "latin1");
  }

  function bind(name: string, args: unknown): { tool: Tool; call: BoundCall } {
    const tool = tools.find((candidate) => candidate.name === name);
    const bound = tool?.bind(args);
    if (!tool || !bound) throw new Error(`there is no tool ${name}`);
    if (!bound.ok) throw new Error(bound.message);
    return { tool, call: bound.call };
  }

  function guarded(name: string, args: unknown, labels: readonly string[]): GuardedCall {
    const asker = { kind: "owner", id: "owner" } as const;
    return { ...bind(name, args), workspace: spelled, asker, labels, trustedText: "", told: nothingTold };
  }

  function context() {
    const signal = new AbortController().signal;
    return {
      conversation: "c1",
      turn: "t1",
      callId: "k1",
      asker: { kind: "owner", id: "owner" } as const,
      workspace: spelled,
      signal,
      progress: () => {},
    };
  }
}

/** Judged like the real one, and never run. */
const commandTool = defineTool({
  name: "bash",
  description: "",
  arguments: z.object({ command: z.string() }),
  result: textResult,
  effects: ["changes", "destroys"],
  class: "unsafe",
  undo: { kind: "impossible", reason: "" },
  command: (args) => args.command,
  formatApproval: (args) => args.command,
  run: async () => ({ outcome: "failed", output: "nothing runs here" }),
});
