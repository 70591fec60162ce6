import module from "node:module";
import { join } from "node:path";
import v8 from "node:v8";
import { projectRoot } from "./project-root.mjs";

// inside the project and not in the shared temporary folder, where another user could plant compiled code
module.enableCompileCache(join(projectRoot, "node_modules", ".steward-compiled"));
// loading a program makes much short-lived garbage once; room for it that is never used again would stay resident
v8.setFlagsFromString("--semi-space-growth-factor=1");
await import("../src/main.ts");
