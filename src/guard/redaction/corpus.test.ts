import { describe, expect, test } from "vitest";
import { benignLookalikes } from "../../../tests/corpora/redaction/benign-lookalikes.ts";
import { benignTexts } from "../../../tests/corpora/redaction/benign-texts.ts";
import { machineSecrets } from "../../../tests/corpora/redaction/machine-secrets.ts";
import { type ProviderSecret, providerSecrets } from "../../../tests/corpora/redaction/provider-secrets.ts";
import { structuralSecrets } from "../../../tests/corpora/redaction/structural-secrets.ts";
import { writtenDownSecrets } from "../../../tests/corpora/redaction/written-down-secrets.ts";
import { everyFormat } from "./formats/every-format.ts";
import { markedFormats } from "./formats/marked-formats.ts";
import { openRedactor } from "./redactor.ts";

const { redact } = openRedactor({ known: [] });
const surrounded = [...structuralSecrets, ...writtenDownSecrets, ...machineSecrets];
const benign = [...benignTexts, ...benignLookalikes];

const surroundings: [string, (text: string) => string][] = [
  ["alone", (text) => text],
  ["in a sentence", (text) => `Use ${text} from now on.`],
  ["in quotes", (text) => `"${text}"`],
  ["in a JSON string in a JSON string", (text) => JSON.stringify({ body: JSON.stringify({ note: text }) })],
  ["after a colour", (text) => `\u001b[33m${text}\u001b[0m`],
  ["in Markdown", (text) => `| \`${text}\` |`],
  ["in HTML", (text) => `<p class="a">${text}</p>`],
  ["twice in a line", (text) => `${text} ${text}`],
];

describe("a provider's secret is masked", () => {
  test("there are at least seventy-five formats, each with an example", () => {
    const names = new Set([...everyFormat, ...markedFormats].map((format) => format.name));
    const shown = new Set(providerSecrets.map((example) => example.name));
    expect([...names].filter((name) => !shown.has(name))).toEqual([]);
    expect(names.size).toBeGreaterThanOrEqual(75);
  });

  test.each(surroundings)("%s", (_, surround) => {
    const leaking = providerSecrets.filter((example) => leaks(redact(surround(textOf(example))), example.secret));
    expect(leaking).toEqual([]);
  });

  test("under its provider's name, with at most four letters kept", () => {
    const wrong = providerSecrets.filter(({ name, secret, before = "", after = "" }) => {
      const output = redact(`${before}${secret}${after}`);
      return (
        output !== `${before}${secret.slice(0, 4)}…[redacted:${name}]${after}` &&
        output !== `${before}[redacted:${name}]${after}`
      );
    });
    expect(wrong).toEqual([]);
  });
});

describe("a secret known by its surroundings is masked and they are kept", () => {
  test.each(surrounded.map((example, number) => [`${number}: ${example.kept[0]}`, example] as const))(
    "%s",
    (_, { text, secrets, kept }) => {
      const output = redact(text);
      expect(secrets.filter((secret) => leaks(output, secret))).toEqual([]);
      expect(inOrder(output, kept)).toBe(true);
    },
  );

  test("inside a JSON string as well", () => {
    const leaking = surrounded.filter(({ text, secrets }) => {
      const output: unknown = JSON.parse(redact(JSON.stringify({ body: text })));
      return secrets.some((secret) => leaks((output as { body: string }).body, secret));
    });
    expect(leaking).toEqual([]);
  });
});

test("the corpus holds at least 400 secrets and 200 texts without one", () => {
  const secrets = providerSecrets.length + surrounded.flatMap((example) => example.secrets).length;
  expect(secrets).toBeGreaterThanOrEqual(400);
  expect(benign.length).toBeGreaterThanOrEqual(200);
});

describe("a text without a secret comes out as it went in", () => {
  test.each(benign)("%s", (text) => {
    expect(redact(text)).toBe(text);
  });
  test.each(benign)("inside a JSON string: %s", (text) => {
    expect(redact(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });
});

function textOf({ before = "", secret, after = "" }: ProviderSecret): string {
  return `${before}${secret}${after}`;
}

/** Whether more than the first four letters of the secret can still be read. */
function leaks(output: string, secret: string): boolean {
  const visible = output.replace(/\[redacted:[a-z0-9-]+\]/g, "");
  const length = Math.min(5, secret.length);
  for (let at = 0; at + length <= secret.length; at++) {
    if (visible.includes(secret.slice(at, at + length))) return true;
  }
  return false;
}

function inOrder(output: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const part of parts) {
    const found = output.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
