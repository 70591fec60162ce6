import { spawn } from "node:child_process";
import { pathWithPinnedNode, pinnedNodePath } from "./pinned-node.mjs";

/** Runs a build on the pinned Node and resolves with what went wrong, or with nothing. */
export async function runBuild(root, args) {
  const child = spawn(pinnedNodePath(root), args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", PATH: pathWithPinnedNode(root) },
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (words += piece));
  const code = await new Promise((resolve) => {
    child.once("error", (cause) => {
      words += cause.message;
      resolve(1);
    });
    child.once("close", resolve);
  });
  return code === 0 ? undefined : words.trim() || `${args[0]} ended with code ${code}`;
}
