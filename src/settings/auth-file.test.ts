import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import { openAuthFile } from "./auth-file.ts";

async function fileWith(content?: string, mode = 0o600) {
  const home = await temporaryFolder();
  const path = join(home, "auth.json");
  if (content !== undefined) await writeFile(path, content, { mode });
  if (content !== undefined) await chmod(path, mode);
  return { home, path, file: openAuthFile({ home }), modeNow: async () => (await stat(path)).mode & 0o777 };
}

test("without a file there are no keys and nothing is made", async () => {
  const { home, file } = await fileWith();
  expect(await file.read()).toEqual({ keys: {}, warnings: [] });
  expect(await readdir(home)).toEqual([]);
});

test("a key is kept beside the others in a file that only the owner can open", async () => {
  const { home, file, modeNow } = await fileWith('{"openai": "sk-old", "github": {"refreshToken": "r"}}');
  await file.setKey("anthropic", "sk-ant");
  expect((await file.read()).keys).toEqual({ openai: "sk-old", anthropic: "sk-ant" });
  expect(JSON.parse(await readFile(join(home, "auth.json"), "utf8")).github).toEqual({ refreshToken: "r" });
  expect(await modeNow()).toBe(0o600);
  expect(await readdir(home)).toEqual(["auth.json"]);
});

test("a key is taken out", async () => {
  const { file } = await fileWith('{"openai": "sk-old"}');
  await file.setKey("openai", null);
  expect((await file.read()).keys).toEqual({});
});

test("keys set at the same moment are all kept", async () => {
  const { file } = await fileWith();
  await Promise.all(Array.from({ length: 20 }, (_, at) => file.setKey(`p${at}`, `key-${at}`)));
  expect(Object.keys((await file.read()).keys)).toHaveLength(20);
});

test.each([0o644, 0o640, 0o604])(
  "a file with the mode %o is closed to others, and the owner is told once",
  async (mode) => {
    const { file, modeNow } = await fileWith('{"openai": "sk"}', mode);
    const first = await file.read();
    expect(first.keys).toEqual({ openai: "sk" });
    expect(first.warnings[0]).toContain("could be read by other users");
    expect(await modeNow()).toBe(0o600);
    expect((await file.read()).warnings).toEqual([]);
  },
);

test("a link in its place is not followed", async () => {
  const { home, path, file } = await fileWith();
  await writeFile(join(home, "other.json"), '{"openai": "sk"}');
  await symlink(join(home, "other.json"), path);
  await expect(file.read()).rejects.toThrow("auth.json cannot be opened: it is a link");
});

test.each(['{"openai": "sk-secret-value"', '["sk-secret-value"]', "sk-secret-value"])(
  "%s is refused without repeating what might be a key",
  async (content) => {
    const { file } = await fileWith(content);
    const failure = await file.read().catch((error: Error) => error);
    expect(String(failure)).toContain("auth.json is not readable");
    expect(`${failure} ${(failure as Error).stack} ${(failure as Error).cause}`).not.toContain("sk-secret");
  },
);
