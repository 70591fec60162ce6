import module from "node:module";
import { join } from "node:path";
import { projectRoot } from "./project-root.mjs";

// inside the project and not in the shared temporary folder, where another user could plant compiled code
module.enableCompileCache(join(projectRoot, "node_modules", ".steward-compiled"));
await import("../src/main.ts");
