// What something is built from, in one word. Names, sizes and times are enough: whoever changes a file changes one of them.
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";

/** Of the packages, and of each file in these folders whose path `counts`. Asked for at every start, so that it has to be quick. */
export function stampOf(root, folders, counts) {
  const lines = [lineOf("package-lock.json")];
  for (const folder of folders) addLines(folder);
  return createHash("sha256").update(lines.join("")).digest("hex");

  function addLines(folder) {
    for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true }).sort(byName)) {
      const path = `${folder}/${entry.name}`;
      if (!counts(path)) continue;
      if (entry.isDirectory()) addLines(path);
      else if (entry.isFile()) lines.push(lineOf(path));
    }
  }

  function lineOf(path) {
    const { size, mtimeMs } = statSync(`${root}/${path}`);
    return `${path} ${size} ${mtimeMs}\n`;
  }
}

function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}
