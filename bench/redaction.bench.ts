// How fast redaction is on ordinary text, as a ratio against a loop that only copies it, and on texts made to be slow.
import { openRedactor } from "../src/guard/redaction/redactor.ts";

const megabyte = 1024 * 1024;
const logLines = Array.from({ length: 16_000 }, (_, line) => logLine(line)).join("\n");
const known = Array.from({ length: 50 }, (_, place) => `known-Value/${place * 7919}+${place}`);

const copyMs = fastestMs(() => copy(logLines));
console.log(`plain copy loop        ${speed(logLines, copyMs)}`);
report("ordinary log", openRedactor({ known: [] }), logLines);
report("with 50 known values", openRedactor({ known }), logLines);
for (const unit of ["a", "-----BEGIN ", "=", "eyJ", '"', "password=", "-----BEGIN RSA PRIVATE KEY-----"]) {
  report(
    `1 MB of ${JSON.stringify(unit)}`,
    openRedactor({ known: [] }),
    unit.repeat(Math.ceil(megabyte / unit.length)),
  );
}

function report(name: string, redactor: { redact(text: string): string }, text: string): void {
  const ms = fastestMs(() => redactor.redact(text));
  const ratio = ms / text.length / (copyMs / logLines.length);
  console.log(`${name.padEnd(42)} ${speed(text, ms)}, ${ratio.toFixed(1)} times a plain copy`);
}

function fastestMs(act: () => string): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    act();
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}

function speed(text: string, ms: number): string {
  return `${(text.length / megabyte / (ms / 1000)).toFixed(1)} MB/s`;
}

function copy(text: string): string {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return Buffer.from(codes.buffer).toString("utf16le");
}

function logLine(line: number): string {
  const id = (line * 2_654_435_761).toString(16).padStart(12, "0").slice(0, 12);
  return `2026-05-01T12:${line % 60}:07.123Z INFO [worker-${line % 7}] request_id=5f2b6c1e-4a1b-9c3d-8e7f-${id} method=GET path=/api/v1/items/${line}?page=2 status=200 duration=${line % 300}ms user="jane doe" msg="handled the request, all is well"`;
}
