// Puts the program together: `node scripts/build-program.mjs <folder> [another source]`, two folders below the root.
import { basename, dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { projectRoot } from "./project-root.mjs";

const [folder, source = "src/main.ts"] = process.argv.slice(2);
const thread = String.raw`(new Worker\(\s*new URL\(")(\.[^"]+)\.ts(", import\.meta\.url\))`;
const ownPlace = new RegExp(String.raw`${thread}|import\.meta\.(url|dirname)`, "g");

const bundle = await rolldown({
  input: { [basename(source, ".ts")]: join(projectRoot, source) },
  platform: "node",
  // packages stay where npm has put them: some start threads of their own, or read files that lie beside them
  external: /^[^./]/,
  plugins: [{ name: "own-places", transform: { filter: { code: "import.meta" }, handler: keepOwnPlaces } }],
});
await bundle.write({
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  // errors are told apart by the names of their classes
  keepNames: true,
});

// A source finds files that lie beside it by its own place, and they stay there; its threads are put together as well.
function keepOwnPlaces(code, id) {
  const place = `../../${relative(projectRoot, id)}`;
  return code.replaceAll(ownPlace, (_, start, path, end, word) => {
    if (word === "dirname") return `\`\${import.meta.dirname}/${dirname(place)}\``;
    if (word === "url") return `new URL(${JSON.stringify(place)}, import.meta.url).href`;
    const fileName = `${basename(path)}.js`;
    this.emitFile({ type: "chunk", id: resolve(dirname(id), `${path}.ts`), fileName });
    return `${start}./${fileName}${end}`;
  });
}
