import { spawn } from "node:child_process";
import { codeOf } from "../../../contract/failure.ts";

export type ToolEnd = { code: number; output: string; errors: string } | "missing";

/** Runs a program of the system to its end; it is found by the PATH of its environment. */
export function callTool(
  environment: Readonly<Record<string, string | undefined>>,
  [program, ...args]: readonly [string, ...string[]],
): Promise<ToolEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.once("error", (cause) => (codeOf(cause) === "ENOENT" ? resolve("missing") : reject(cause)));
    child.once("close", (code) => resolve({ code: code ?? 1, output, errors }));
  });
}
