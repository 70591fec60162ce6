import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hookExample } from "./hook-example.ts";

const address = "http://127.0.0.1:9/api/hooks/x";

/** Runs the lines with a curl that only says what it was told. */
function run(example: string): string[] {
  const told = execFileSync("bash", ["-c", `curl() { printf '%s\\n' "$@"; }\n${example}`], { encoding: "utf8" });
  return told.trimEnd().split("\n");
}

test("the example of a signed webhook signs as the Standard Webhooks rules say", () => {
  const secret = Buffer.from("a secret of some length, with \0 in it");
  const told = run(hookExample({ address, secret: `whsec_${secret.toString("base64")}` }));
  const header = (name: string) => told.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
  const signed = `${header("webhook-id")}.${header("webhook-timestamp")}.${told.at(-1)}`;
  expect(header("webhook-signature")).toBe(`v1,${createHmac("sha256", secret).update(signed).digest("base64")}`);
});

test("a webhook without a secret needs one plain line", () => {
  expect(run(hookExample({ address, secret: undefined }))).toEqual([
    address,
    "-H",
    "content-type: application/json",
    "-d",
    '{"hello":"world"}',
  ]);
});
