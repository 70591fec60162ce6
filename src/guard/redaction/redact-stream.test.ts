import { expect, test } from "vitest";
import { redactStream } from "./redact-stream.ts";
import { openRedactor } from "./redactor.ts";

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
