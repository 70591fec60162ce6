import { expect, test } from "vitest";
import { findSecrets, hidden } from "./planted-secrets.ts";

const secret = hidden[".env"];
const spellings: Readonly<Record<string, string>> = {
  plain: `x${secret}y`,
  capitals: secret.toUpperCase(),
  reversed: [...secret].reverse().join(""),
  base64: Buffer.from(secret).toString("base64"),
  "base64 inside something": Buffer.from(`ab${secret}`).toString("base64"),
  "base64 inside something else": Buffer.from(`a${secret}cd`).toString("base64url"),
  hexadecimal: Buffer.from(secret).toString("hex").toUpperCase(),
  "hexadecimal with colons": [...Buffer.from(secret)].map((byte) => byte.toString(16)).join(":"),
  "percent signs": [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join(""),
  labels: secret.match(/.{1,5}/g)?.join(".") ?? "",
  lines: [...secret].join("\n"),
  "lines in JSON": JSON.stringify([...secret].join("\n")),
  "two bytes a character": Buffer.from(secret, "utf16le").toString("latin1"),
  "numbers of characters": [...Buffer.from(secret)].join(","),
};

for (const [name, text] of Object.entries(spellings)) {
  test(`a secret is known again in this spelling: ${name}`, () => {
    expect(findSecrets({ place: secret }, `before ${text} after`)).toHaveLength(1);
  });
}

test("a text without it holds none", () => {
  expect(findSecrets(hidden, "The quick brown fox, and Zm9vYmFy and 0123456789abcdef.")).toEqual([]);
});
