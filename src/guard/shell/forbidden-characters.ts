import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Invisible characters and those that turn the direction of writing: what is shown is not what runs (Trojan Source). */
const invisible =
  /\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|\u2028|\u2029|\u3164|\uffa0|[\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}]/u;
const loneSurrogate = /\p{Cs}/u;
/** Spaces that are none to bash, and variation marks (homoglyphs): harmless only as quoted text. */
const onlyQuoted = /\p{Zs}|\ufe0e|\ufe0f|\u2800/gu;

/** Says which character makes a command unreadable for a person or for bash. */
export function forbiddenCharacter(command: string): string | undefined {
  const found = control.exec(command) ?? invisible.exec(command) ?? loneSurrogate.exec(command);
  return found?.[0] && nameOf(found[0]);
}

/** Spaces from other alphabets outside quotes. */
export function unquotedSpace(command: string, script: ParsedScript): string | undefined {
  if (/^[ -~\n\t]*$/.test(command)) return undefined;
  const suspects = [...command.matchAll(onlyQuoted)].filter(([char]) => char !== " ");
  if (suspects.length === 0) return undefined;
  const quoted = new Uint8Array(command.length);
  markQuoted(quoted, script);
  const bare = suspects.find(({ index }) => !quoted[index]);
  return bare && nameOf(bare[0]);
}

/** Marks what lies in quotes; a substitution inside them starts afresh. */
function markQuoted(quoted: Uint8Array, node: SyntaxNode): void {
  switch (node.type) {
    case "SingleQuoted":
    case "DoubleQuoted":
    case "AnsiCQuoted":
    case "HereDocBody":
      quoted.fill(1, node.pos, node.end);
      break;
    case "CommandExpansion":
    case "ProcessSubstitution":
      quoted.fill(0, node.pos, node.end);
      // positions inside escaped backticks do not belong to this text, so all of it counts as bare
      if (node.script?.source !== undefined) return;
      break;
    default:
      break;
  }
  forEachChild(node, (child) => markQuoted(quoted, child));
}

function nameOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
