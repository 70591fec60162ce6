import { extname } from "node:path";

const longest = 100;
const mostTries = 200;

/** The name a server gave its file, made harmless, and then the same with numbers. */
export function* downloadNames(suggested: string): Generator<string> {
  const plain = suggested
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[/\\:*?"<>|]/g, "_")
    // neither hidden nor a way up
    .replace(/^[.\s~-]+|[.\s]+$/g, "");
  const extension = /^\.[A-Za-z0-9]{1,10}$/.test(extname(plain)) ? extname(plain) : "";
  const stem = cut(plain.slice(0, plain.length - extension.length), longest) || "download";
  yield stem + extension;
  for (let number = 2; number <= mostTries; number++) yield `${stem}-${number}${extension}`;
}

// names are limited in bytes, and a character has up to four
function cut(text: string, bytes: number): string {
  let kept = "";
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break;
    kept += character;
  }
  return kept;
}
