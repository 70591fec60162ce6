import { copyFile, mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/scenes/temporary-folder.ts";
import { findModelFile } from "./find-model-file.ts";

test("a model keeps its fingerprint when it is copied, and another of its name and length has another", async () => {
  const folder = await temporaryFolder();
  const [first, copy, other] = ["first", "copy", "other"].map((name) => join(folder, name, "model.gguf"));
  for (const name of ["first", "copy", "other"]) await mkdir(join(folder, name));
  const whole = Buffer.concat([Buffer.from("GGUF"), Buffer.alloc(300_000, 1)]);
  await writeFile(first ?? "", whole);
  await copyFile(first ?? "", copy ?? "");
  await utimes(copy ?? "", 1, 1);
  await writeFile(other ?? "", Buffer.concat([whole.subarray(0, -1), Buffer.from([2])]));
  const [one, same, different] = await Promise.all([first, copy, other].map((path = "") => findModelFile(path)));
  expect(one).toMatchObject({ path: first, name: "model.gguf" });
  expect(same?.fingerprint).toBe(one?.fingerprint);
  expect(different?.fingerprint).not.toBe(one?.fingerprint);
});

test("without a path it is said what to set", async () => {
  await expect(findModelFile(null)).rejects.toThrow(
    "Set memory.embedder.modelPath to a GGUF file of an embedding model, such as ~/models/embeddinggemma-300M-Q8_0.gguf.",
  );
});

test("a path that depends on where Steward was started is refused", async () => {
  await expect(findModelFile("models/a.gguf")).rejects.toThrow("memory.embedder.modelPath is not a whole path");
});

test("a file that does not exist is told as such", async () => {
  const path = join(await temporaryFolder(), "gone.gguf");
  await expect(findModelFile(path)).rejects.toThrow(
    `The model ${path} does not exist. Check memory.embedder.modelPath.`,
  );
});

test("a folder is told as such", async () => {
  await expect(findModelFile(await temporaryFolder())).rejects.toThrow(/cannot be read \(EISDIR\)/);
});

test.each(["", "GG", "PK\u0003\u0004 a zip", "# notes"])("a file that begins with %j is no GGUF file", async (text) => {
  const path = join(await temporaryFolder(), "model.gguf");
  await writeFile(path, text);
  await expect(findModelFile(path)).rejects.toThrow(`${path} is no GGUF file.`);
});
