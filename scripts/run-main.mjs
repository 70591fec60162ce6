// Runs the program that its first argument names, which then sees the rest of them, with what keeps its memory small.
import module from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import { projectRoot } from "./project-root.mjs";

// inside the project and not in the shared temporary folder, where another user could plant compiled code
const [program] = process.argv.splice(2, 1);
const isBuilt = program.startsWith(join(projectRoot, "dist"));
module.enableCompileCache(join(isBuilt ? dirname(program) : join(projectRoot, "node_modules"), ".steward-compiled"));
// room that was made once for garbage stays resident: the young part of the heap keeps its size, the old one grows by a third at a time
v8.setFlagsFromString("--semi-space-growth-factor=1");
v8.setFlagsFromString("--heap-growing-percent=30");
// a small heap is looked through often, and code thrown away each time would have to be compiled again for the next turn
v8.setFlagsFromString("--no-flush-bytecode");
await import(pathToFileURL(program));
