import module from "node:module";
import { join } from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { projectRoot } from "./project-root.mjs";

const settledMs = 2_000;

// inside the project and not in the shared temporary folder, where another user could plant compiled code
module.enableCompileCache(join(projectRoot, "node_modules", ".steward-compiled"));
// room that was made once for garbage stays resident: the young part of the heap keeps its size, the old one grows by a fifth at a time
v8.setFlagsFromString("--semi-space-growth-factor=1");
v8.setFlagsFromString("--heap-growing-percent=20");
// a small heap is looked through often, and code thrown away each time would have to be compiled again for the next turn
v8.setFlagsFromString("--no-flush-bytecode");
v8.setFlagsFromString("--expose-gc");
// what loading has left behind is given back once; only a context made after the flag knows the word
setTimeout(() => vm.runInNewContext("gc")({ type: "major", flavor: "last-resort" }), settledMs).unref();
await import("../src/main.ts");
