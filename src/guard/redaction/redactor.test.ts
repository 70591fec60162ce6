import { describe, expect, test } from "vitest";
import { benignLookalikes } from "../../../tests/corpora/redaction/benign-lookalikes.ts";
import { benignTexts } from "../../../tests/corpora/redaction/benign-texts.ts";
import { inPieces } from "../../../tests/corpora/redaction/in-pieces.ts";
import { machineSecrets } from "../../../tests/corpora/redaction/machine-secrets.ts";
import { providerSecrets } from "../../../tests/corpora/redaction/provider-secrets.ts";
import { alphabets, type RandomSource, randomSource } from "../../../tests/corpora/redaction/random-source.ts";
import { structuralSecrets } from "../../../tests/corpora/redaction/structural-secrets.ts";
import { writtenDownSecrets } from "../../../tests/corpora/redaction/written-down-secrets.ts";
import { openRedactor, redactStream } from "./redactor.ts";

const known = ['Open "sesame" \\ 7', "line one of it\nand line two of it", `Kn0wn/value+${"x7".repeat(9)}`];
const redactor = openRedactor({ known });
const { redact } = redactor;

const surrounded = [...structuralSecrets, ...writtenDownSecrets, ...machineSecrets].map(({ text }) => text);
const ingredients = [
  ...providerSecrets.map(({ before = "", secret, after = "" }) => `${before}${secret}${after}`),
  ...surrounded,
  ...surrounded.map((text) => text.slice(0, Math.floor(text.length * 0.7))),
  ...benignTexts,
  ...benignLookalikes,
  ...known,
  ...known.map((value) => Buffer.from(`=${value}`).toString("base64")),
];
const glue = [
  " ",
  "\n",
  "\r\n",
  "\t",
  ", ",
  '"',
  "'",
  "=",
  ": ",
  "\\n",
  "\\",
  "\u001b[31m",
  "%22",
  "",
  " is ",
  '\\"',
  "🙂",
  "\u200b",
  "：",
  "\n  ",
];

test.each([
  ["a key that never ends", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA"],
  ["half a character", "tail \ud83d"],
  ["the beginning of a known value", 'Open "sesa'],
  ["a cookie header", "Cookie: session=abc"],
])("a text is not changed by the one before it: %s", (_, before) => {
  redact(before);
  expect(redact("me, plain words; and=more")).toBe("me, plain words; and=more");
});

describe("however a text comes in, the same goes out", () => {
  test("pieces of any size give what the whole text gives, in 4,000 random texts", () => {
    for (let seed = 1; seed <= 4000; seed++) {
      const random = randomSource(seed);
      const text = randomText(random);
      expect({ seed, output: inPieces(redactor, text, random) }).toEqual({ seed, output: redact(text) });
    }
  });

  test("letter by letter gives what the whole text gives, for every text of the corpus", () => {
    for (const text of ingredients) expect(inPieces(redactor, text, undefined)).toBe(redact(text));
  });

  test("redacting twice equals redacting once, in 4,000 random texts", () => {
    for (let seed = 1; seed <= 4000; seed++) {
      const once = redact(randomText(randomSource(seed)));
      expect({ seed, output: redact(once) }).toEqual({ seed, output: once });
    }
  });

  test("inside a JSON string the result is the same, for every text of the corpus and 2,000 random texts", () => {
    const texts = [...ingredients, ...Array.from({ length: 2000 }, (_, seed) => randomText(randomSource(seed)))];
    for (const text of texts) expect(JSON.parse(redact(JSON.stringify(text)))).toBe(redact(text));
  });

  test("what is held back stays small while a line, a word or a key block goes on for ever", () => {
    const endless = [
      "a",
      "a ",
      "password=ab1",
      "eyJ",
      `-----BEGIN RSA PRIVATE KEY-----\n${"Ab1+".repeat(16)}\n`,
      '"',
      "\\",
      "\n",
      "\\n",
      "a\u200b",
      "\u001b]8;;a",
      "mnemonic abandon ",
      "password: |\n  ab1cd2ef\n",
      'recovery_codes: ["ab1cd2ef", ',
      "密码：",
    ];
    for (const unit of endless) {
      const pass = redactor.stream();
      const written = Array.from({ length: 4000 }, () => pass.write(unit)).join("");
      expect(pass.end().length).toBeLessThan(4096);
      expect(written.length).toBeGreaterThan(0);
    }
  });
});

function randomText(random: RandomSource): string {
  const parts = Array.from({ length: 1 + random.below(6) }, () => {
    const part = random.pick(ingredients);
    return random.below(8) === 0 ? part.slice(random.below(part.length)) : part;
  });
  return parts.map((part) => part + random.pick(glue)).join("") + random.letters(alphabets.mixed, random.below(4));
}

test("bytes cut inside letters come out whole, and the secret between them is masked", async () => {
  const text = "Grüße 🙂🙂🙂 an geheimer-Wert-ß9 und alle 日本\n";
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 5, 1000]) {
    let output = "";
    await redactStream(openRedactor({ known: ["geheimer-Wert-ß9"] }), chunksOf(bytes, size), async (piece) => {
      output += new TextDecoder().decode(new TextEncoder().encode(piece));
    });
    expect(output).toBe("Grüße 🙂🙂🙂 an [redacted:known-value] und alle 日本\n");
  }
});

test("the reader waits for the writer", async () => {
  const order: string[] = [];
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const line of ["one\n", "two\n"]) {
      order.push(`read ${line.trim()}`);
      yield new TextEncoder().encode(`${line}${" ".repeat(200)}\n`);
    }
  }
  await redactStream(openRedactor({ known: [] }), input(), async (piece) => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`wrote ${piece.trim()}`);
  });
  expect(order).toEqual(["read one", "wrote one", "read two", "wrote two"]);
});

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
