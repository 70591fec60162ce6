import { describe, expect, test } from "vitest";
import { inPieces } from "../../../tests/corpora/redaction/in-pieces.ts";
import { randomSource } from "../../../tests/corpora/redaction/random-source.ts";
import { openRedactor } from "./redactor.ts";

const between = [" ", "\n", "\\n", "\\", '"', "\u200b", "\u001b[31m", "", "\n  ", "🙂"];

describe("values known beforehand are masked", () => {
  const secret = 'pä "q"/r+s?t=9';
  const bytes = Buffer.from(secret).toString("hex").match(/../g) ?? [];
  const wrapped = (text: string) => text.replace(/.{9}(?=.)/g, "$&\n");
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
    ["backwards", [...secret].reverse().join("")],
    ["as hexadecimal bytes with colons", bytes.join(":")],
    ["as hexadecimal bytes with spaces", bytes.join(" ").toUpperCase()],
    ["as escaped bytes", `\\x${bytes.join("\\x")}`],
    ["with every byte percent-encoded", `%${bytes.join("%")}`],
    ["as xxd writes it", bytes.join("").replace(/.{4}(?=.)/g, "$& ")],
    ["in base64 of UTF-16", Buffer.from(secret, "utf16le").toString("base64")],
    ["in base64 over several lines", wrapped(Buffer.from(`some words ${secret}`).toString("base64"))],
    ["in base64 over several lines in JSON", wrapped(Buffer.from(secret).toString("base64")).replaceAll("\n", "\\n")],
    ["with zero-width spaces", [...secret].join("\u200b")],
    ["with a colour inside", `${secret.slice(0, 3)}\u001b[31m${secret.slice(3, 9)}\u001b[0m${secret.slice(9)}`],
    ["with an escaped colour inside", `${secret.slice(0, 7)}\\u001b[1m${secret.slice(7)}`],
    ["over two lines", `${secret.slice(0, 6)}\n    ${secret.slice(6)}`],
  ];
  test.each(forms)("%s", (_, form) => {
    const output = openRedactor({ known: [secret] }).redact(`before ${form} after`);
    expect(output).not.toContain(form);
    expect(output).toMatch(/^before .*\[redacted:known-value\].* after$/s);
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

  test("right behind a backslash, where its first letter looks like an escape", () => {
    const { redact: hide } = openRedactor({ known: ["n0table-Value"] });
    expect(hide("C:\\n0table-Value and \\nn0table-Value")).toBe(
      "C:\\[redacted:known-value] and \\n[redacted:known-value]",
    );
  });

  test("in each of these forms the same in pieces of any size", () => {
    const hiding = openRedactor({ known: [secret, "n0table-Value"] });
    const texts = [
      ...forms.map(([, form]) => form),
      "\\n0table-Value",
      "\\nn0table-Value",
      "n0tab\n\n\nle-Value",
      "\\n\n \\n",
    ];
    for (let seed = 1; seed <= 1500; seed++) {
      const random = randomSource(seed);
      const text = Array.from(
        { length: 4 },
        () => random.pick(texts).slice(random.below(3)) + random.pick(between),
      ).join("");
      expect({ seed, output: inPieces(hiding, text, random) }).toEqual({ seed, output: hiding.redact(text) });
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
