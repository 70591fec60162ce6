// What something was built from, in one word. Names, sizes and times are enough: whoever changes a file changes one of them.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** Of the packages and of each file in these folders that `counts`. */
export function stampOf(root, folders, counts) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const folder of folders)
    for (const path of filesIn(join(root, folder)).sort()) {
      if (!counts(path)) continue;
      const { size, mtimeMs } = statSync(path);
      hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest("hex");
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
