import { visibleIn } from "./invisible.ts";

const shortestValue = 6;
const shortestLine = 16;
const hexSeparators = ["", " ", ":", "-", ", ", ",", "\\x", "\\\\x", "%", " 0x", ", 0x", ",0x"];
const common = new Set(
  (
    "password changeme secret default localhost example development production staging testing username postgres " +
    "undefined disabled enabled 123456 1234567 12345678 123456789 1234567890 qwerty abc123 letmein redacted string"
  ).split(" "),
);

/** Every way a value known beforehand may be written in a text; none for values too short or too common to mask. */
export function formsOf(value: string): string[] {
  const trimmed = value.trim();
  if (!isMaskable(trimmed)) return [];
  const lines = trimmed.split(/\r?\n/).filter((line) => line.length >= shortestLine && !line.startsWith("-----"));
  const texts = [trimmed, trimmed.replaceAll("\r\n", "\n"), ...(lines.length > 1 ? lines : [])];
  const forms = texts.flatMap((text) => [
    text,
    ...jsonForms(text),
    ...urlForms(text),
    ...base64Forms(Buffer.from(text, "utf8")),
    // as PowerShell takes a command
    ...base64Forms(Buffer.from(text, "utf16le")),
    ...hexForms(text),
    reversed(text),
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ]);
  return [...new Set(forms)].filter((form) => visibleIn(form).text.replace(/\s|\\/g, "").length >= shortestValue);
}

function isMaskable(value: string): boolean {
  if (value.length < shortestValue || common.has(value.toLowerCase())) return false;
  return !/^(.)\1*$/su.test(value) && !/^(?:true|false|null)$/i.test(value);
}

function jsonForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const angles = once.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return [once, twice, angles, once.replaceAll("/", "\\/")];
}

function urlForms(value: string): string[] {
  // a lone surrogate has no URL form
  if (!value.isWellFormed()) return [];
  const strict = encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const forms = [encodeURIComponent(value), encodeURI(value), strict, encodeURIComponent(strict)];
  const plus = forms.map((form) => form.replaceAll("%20", "+"));
  return [...forms, ...plus].flatMap((form) => [form, form.replace(/%../g, (byte) => byte.toLowerCase())]);
}

/** Inside a longer base64 text the value may begin at any of three places; only letters it alone decides are looked for. */
function base64Forms(bytes: Buffer): string[] {
  const forms = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_"), form.replaceAll("/", "\\/")]);
}

function hexForms(value: string): string[] {
  const bytes = Buffer.from(value, "utf8").toString("hex").match(/../g) ?? [];
  const forms = hexSeparators.map((between) => bytes.join(between));
  // xxd and hexdump write two bytes together, beginning at either of them
  const pairs = [
    bytes.join("").match(/.{1,4}/g),
    [
      bytes[0],
      ...(bytes
        .slice(1)
        .join("")
        .match(/.{1,4}/g) ?? []),
    ],
  ];
  forms.push(...pairs.map((groups) => groups?.join(" ") ?? ""));
  return [...forms, ...forms.map((form) => form.replace(/[a-f]/g, (digit) => digit.toUpperCase()))];
}

function reversed(value: string): string {
  return [...value].reverse().join("");
}
