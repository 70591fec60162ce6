/** The character behind a name such as `hellip`, if there is one. */
export type NamedEntity = (name: string) => string | undefined;

const everyday = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
]);
const replacement = "\ufffd";

export function decodeEntities(text: string, named: NamedEntity): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,8})|#x([0-9a-f]{1,7})|([a-z][a-z0-9]{1,31}));?/gi, (written, decimal, hex, name) => {
    if (decimal !== undefined) return characterOf(Number(decimal));
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    return everyday.get(name) ?? named(name) ?? written;
  });
}

function characterOf(code: number): string {
  // pages number these as Windows does, and every browser reads them so
  if (code >= 0x80 && code <= 0x9f) return new TextDecoder("windows-1252").decode(Uint8Array.of(code));
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : replacement;
}
