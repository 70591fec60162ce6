import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

// V8 compiles patterns differently from here on, so that it is a process of its own
const manyPatterns = `
  const kept = [];
  for (let number = 0; number < 2_000; number += 1) {
    const pattern = new RegExp("(?:" + "[a-f0-9]{1,3}q|(?:x[yz]+){2,9}|".repeat(12) + number + ")");
    pattern.test("zzz");
    pattern.test("aaqq");
    kept.push(pattern);
  }`;

const maskedInFullProcess = `
  import { writtenDownSecrets } from ${sourceOf("../../../../tests/corpora/redaction/written-down-secrets.ts")};
  import { openRedactor } from ${sourceOf("../redactor.ts")};
  ${manyPatterns}
  const { redact } = openRedactor({ known: [] });
  const leaking = writtenDownSecrets.filter(({ text, secrets }) => secrets.some((secret) => redact(text).includes(secret)));
  console.log(JSON.stringify({ samples: writtenDownSecrets.length, leaking: leaking.map(({ kept }) => kept[0]) }));`;

test("what a person wrote down is masked also by a process that holds much compiled code of patterns", () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--no-warnings", "--eval", maskedInFullProcess],
    { encoding: "utf8" },
  );
  expect({ ...JSON.parse(stdout || "{}"), stderr }).toEqual({ samples: expect.any(Number), leaking: [], stderr: "" });
});

function sourceOf(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}
