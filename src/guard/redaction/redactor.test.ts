import { describe, expect, test } from "vitest";
import { benignTexts } from "../../../tests/corpora/redaction/benign-texts.ts";
import { providerSecrets } from "../../../tests/corpora/redaction/provider-secrets.ts";
import { alphabets, type RandomSource, randomSource } from "../../../tests/corpora/redaction/random-source.ts";
import { structuralSecrets } from "../../../tests/corpora/redaction/structural-secrets.ts";
import { openRedactor, redactStream } from "./redactor.ts";

const known = ['Open "sesame" \\ 7', "line one of it\nand line two of it", `Kn0wn/value+${"x7".repeat(9)}`];
const redactor = openRedactor({ known });
const { redact } = redactor;

const ingredients = [
  ...providerSecrets.map(({ before = "", secret, after = "" }) => `${before}${secret}${after}`),
  ...structuralSecrets.map(({ text }) => text),
  ...structuralSecrets.map(({ text }) => text.slice(0, Math.floor(text.length * 0.7))),
  ...benignTexts,
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
      expect({ seed, output: inPieces(text, random) }).toEqual({ seed, output: redact(text) });
    }
  });

  test("letter by letter gives what the whole text gives, for every text of the corpus", () => {
    for (const text of ingredients) expect(inPieces(text, undefined)).toBe(redact(text));
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
    ];
    for (const unit of endless) {
      const pass = redactor.stream();
      const written = Array.from({ length: 4000 }, () => pass.write(unit)).join("");
      expect(pass.end().length).toBeLessThan(4096);
      expect(written.length).toBeGreaterThan(0);
    }
  });
});

describe("values known beforehand are masked", () => {
  const secret = 'pä "q"/r+s?t=9';
  const forms: [string, string][] = [
    ["plain", secret],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in URL-safe base64", Buffer.from(secret).toString("base64url")],
    ["in a URL", encodeURIComponent(secret)],
    ["in a form", encodeURIComponent(secret).replaceAll("%20", "+")],
    ["in hex", Buffer.from(secret).toString("hex")],
    ["in capital hex", Buffer.from(secret).toString("hex").toUpperCase()],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON in JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ];
  test.each(forms)("%s", (_, form) => {
    const output = openRedactor({ known: [secret] }).redact(`before ${form} after`);
    expect(output).not.toContain(form);
    expect(output).toMatch(/^before .*\[redacted:known-value\].* after$/);
  });

  test("at each of the three places where base64 may begin", () => {
    for (const lead of ["", "a", "ab", "abc", "user:"]) {
      const encoded = Buffer.from(`${lead}${secret}:tail`).toString("base64");
      const output = openRedactor({ known: [secret] }).redact(encoded);
      const visible = output.split("[redacted:known-value]").map((part) => Buffer.from(part, "base64").toString());
      expect(output).toContain("[redacted:known-value]");
      expect(visible.join("")).not.toContain('"q"');
    }
  });

  test("but not when they are short or common", () => {
    const text = "abcde password changeme localhost aaaaaaaa 123456";
    expect(openRedactor({ known: text.split(" ") }).redact(text)).toBe(text);
  });

  test("also when they are added later, in a stream that is already open", () => {
    const late = openRedactor({ known: [] });
    const pass = late.stream();
    const first = pass.write("before ");
    late.addKnown(["plain-words-only"]);
    expect(first + pass.write("plain-words-only after") + pass.end()).toBe("before [redacted:known-value] after");
  });

  test("the longest of two that begin alike, however it is cut", () => {
    const { stream } = openRedactor({ known: ["alphabeta", "alphabetagamma"] });
    for (let cut = 0; cut <= 14; cut++) {
      const pass = stream();
      const output = pass.write("alphabetagamma".slice(0, cut)) + pass.write("alphabetagamma".slice(cut)) + pass.end();
      expect(output).toBe("[redacted:known-value]");
    }
  });
});

describe("time grows no faster than the text", () => {
  const units = [
    "a",
    "-----BEGIN ",
    "=",
    "a=",
    "eyJ",
    "eyJaaaaaaaaaaaa-",
    '"',
    "\\",
    "password=",
    'password="',
    "://a:",
    " -u ",
  ];
  const more = [
    "Bearer ",
    "sk-ant-",
    "-----BEGIN RSA PRIVATE KEY-----",
    "Cookie: a=",
    "\u001b[",
    "%",
    "M",
    "Private-Lines: 1 ",
  ];
  test.each([...units, ...more])("with %j repeated", { retry: 2 }, (unit) => {
    const small = unit.repeat(Math.ceil(100_000 / unit.length));
    const large = small.repeat(4);
    redact(small);
    expect(leastMicroseconds(large) / leastMicroseconds(small)).toBeLessThan(8);
  });
});

function randomText(random: RandomSource): string {
  const parts = Array.from({ length: 1 + random.below(6) }, () => {
    const part = random.pick(ingredients);
    return random.below(8) === 0 ? part.slice(random.below(part.length)) : part;
  });
  return parts.map((part) => part + random.pick(glue)).join("") + random.letters(alphabets.mixed, random.below(4));
}

function inPieces(text: string, random: RandomSource | undefined): string {
  const pass = redactor.stream();
  const largest = random ? random.pick([2, 7, 40, 300]) : 1;
  let output = "";
  for (let at = 0; at < text.length; ) {
    const length = random ? 1 + random.below(largest) : 1;
    output += pass.write(text.slice(at, at + length));
    at += length;
  }
  return output + pass.end();
}

/** Processor time of this thread, which other programs on the machine do not change as they change the clock's. */
function leastMicroseconds(text: string): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    redact(text);
    return process.threadCpuUsage(before).user;
  });
  // below a millisecond the measuring itself counts for more than the text
  return Math.max(1000, Math.min(...runs));
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
