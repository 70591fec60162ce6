import { isQuoted, unquote } from "../wording.ts";

/** The path in what a person wrote; undefined when it does not look like one and nobody called it a file. */
export function readPath(written: string | undefined, isCalledFile: boolean): string | undefined {
  const text = (written ?? "").trim();
  const path = isQuoted(text) ? unquote(text) : unquote(text.replace(/[.?!,;:]+$/, ""));
  if (path === "" || path.includes("\n") || /^[a-z]+:\/\//i.test(path)) return undefined;
  const looksLikePath = !/\s/.test(path) && /\/|\.[a-z][\w-]*$/i.test(path);
  return isCalledFile || isQuoted(text) || looksLikePath ? path : undefined;
}

/** The folder in what a person wrote, such as "the notes folder"; the workspace itself when none is named. */
export function readFolder(written: string | undefined): string {
  const text = unquote((written ?? "").trim().replace(/[?!,;:]+$/, ""))
    .replace(/^(?:the|my|your|this)\s+/i, "")
    .replace(/^(?:folder|directory)\s+/i, "")
    .replace(/\s+(?:folder|directory)$/i, "");
  return /^(?:|here|there|folder|directory|workspace|home)$/i.test(text) ? "." : unquote(text);
}
