// Runs the quick probes in a process that has inherited a descriptor; prints the names of those that are open.
import { tmpdir } from "node:os";
import { sandboxUser } from "../../../src/tools/programs/workspace-owner.ts";
import { openProbes, runProbeBattery } from "../../../src/tools/sandbox/probe-battery.ts";
import { bwrapWith, isRoot } from "./sandbox-driver.ts";

const [stewardHome = "", cover = ""] = process.argv.slice(2);
const sandbox = await bwrapWith(stewardHome, cover === "covered" ? {} : { inheritable: [] });
const deps = { folder: tmpdir(), node: process.execPath, ...(isRoot ? { user: sandboxUser } : {}) };
const results = await runProbeBattery(deps, sandbox, "quick");
console.log(JSON.stringify(openProbes(results).map((probe) => probe.name)));
