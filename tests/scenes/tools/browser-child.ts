/**
 * A Steward that has a page open and is about to be killed:
 *
 *   node tests/scenes/tools/browser-child.ts
 *
 * The first line it prints names its folders.
 */
import { openBrowserScene } from "./browser-scene.ts";

const scene = await openBrowserScene();
const page = await scene.look({ action: "open", url: `${scene.pages.site}/` });
if (page.outcome !== "done") throw new Error(page.output);
console.log(JSON.stringify(scene.folders));
