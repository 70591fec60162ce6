// In: a word of letters after a password's name. Out: whether it is the password, rather than code, a state or prose.
import type { Reading } from "../reading.ts";
import { foreignPasswordName, passwordWords } from "./password-words.ts";
import type { Value } from "./read-value.ts";
import { isPlaceholder } from "./secret-value.ts";

/** What forms, types, manuals and logs say about a password instead of saying it. */
const saidOfPasswords = new Set(
  (
    "absent accepted account again allowed always argument array async authentication auto automatic await basic below blank " +
    "boolean buffer bytes change changed char check cleartext command compat config configuration confirm confirmation correct " +
    "credential credentials current customer database default defined denied derived digest disabled display double editor email " +
    "empty enabled encrypted enter entered entry env environment error example expired external extended failed failure fair false " +
    "field file files final first forbidden forgot forgotten form format function gecos generated given good guest handler hash hashed " +
    "hidden host ignored inherit initial inline input instance integer interactive interface internal invalid keychain keyring " +
    "label ldap length login long mandatory manual masked match matched matches medium message method minimum mismatch missing " +
    "mixed model name never nobody none normal nothing null number numeric object omitted only optional option options other " +
    "output override param parameter path pattern permitted phrase pinentry plain plaintext policy postgres present private prompt " +
    "prompted promise property protected provided public random read readonly record redacted redirect regex rejected removed " +
    "repeat required reset response result return revoked root rotated rule safe salted same sample saved scheme schema script " +
    "second secret section secure securestring security select sensitive session set setting settings shadow shell short show shown " +
    "signin signup simple skipped something source stdin stored string string strong submit success successful symbol systemd " +
    "target temporary test testing text there token true type types undefined unchanged unique unknown unset unused updated " +
    "upper user username using valid validate validation value values variable variables varchar vault verified verify version " +
    "visible void warning weak what whatever where with without word wrong your yours zero " +
    "abgelaufen ändern angeben anzeigen bestätigen erforderlich falsch festlegen geändert gespeichert keines leer nötig notwendig " +
    "pflichtfeld richtig sicher speichern unbekannt ungültig unverändert verbergen vergeben vergessen wiederholen zurücksetzen " +
    "changer confirmer facultatif inchangé incorrect inconnu invalide masqué modifier obligatoire oublié perdu requis vide " +
    "cambiar confirmar incorrecta incorrecto inválida inválido obligatoria obligatorio oculta olvidada opcional requerida requerido " +
    "errata facoltativa necessaria obbligatoria richiesta vuota esquecida obrigatória vazia leeg onjuist vereist vergeten verplicht " +
    "wymagane забыли изменить неверный обязателен обязательно пустой скрыт"
  ).split(" "),
);
const partOfCode =
  /pass|pwd|secret|token|key|value|cred|config|input|string|field|param|option|setting|hash|user|login|text|type|schema|auth|env|data/i;
const camelCase = /\p{Ll}\p{Lu}/u;
const onlyLetters = /^[\p{L}\p{M}]+$/u;
/** Written without spaces, so that a sentence looks like a word. */
export const writtenWithoutSpaces = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const segmentStart = /[\n\r"'`]|\\+[nr"'`]|\[redacted:[a-z0-9-]+\]/;
const restOfLine = /^[.!]? *(?:$|[\t\n\r"'`<|]|\\+(?:[nrt"'`]|$)|#|\/\/)/;
const nextPair = /^[,;] {0,4}["']?[\w-]{1,32}["']? {0,2}[:=]/;
const ambiguousName = /(?:^|[_.-])(?:pass|pw|parola|secret)$/i;
const passwordName = /(?:password|passwd|passphrase|passcode|pwd|(?:^|[_.-])(?:pass|pw))\d{0,2}$|[a-z]Pass$/i;
const accountBefore = /user|login|mail|account|benutzer|konto/i;
const lookBack = 160;

export function isPlainPassword(reading: Reading, name: string, separatorAt: number, value: Value): boolean {
  const { text } = reading;
  const raw = text.slice(value.start, value.end);
  if (!isWordOfLetters(raw, value.writing === "loose" ? 5 : 4)) return false;
  const isName = /[ \u0080-\uffff]/.test(name) || passwordName.test(name) || foreignPasswordName.test(name);
  if (!isName || /nopasswd$/i.test(name)) return false;
  const before = lineBefore(reading, separatorAt);
  if (ambiguousName.test(name) && !accountBefore.test(before)) return false;
  const separator = text.slice(separatorAt, value.start);
  if (/={2}|:=|=>/.test(separator)) return false;
  const after = text.slice(value.end, value.end + 48);
  if (value.writing === "quoted") return true;
  if (/^[)}([]/.test(after) || /\([^)]*$/.test(before)) return false;
  // an argument of a call that goes on in the next line, or a manual's `--password=WORD`
  if (value.writing !== "loose")
    return !/^,\s*(?:$|["'`]|\\+[nr"'`])|^,[ \t]*[\n\r]/.test(after) && !/^-.*\n\p{Lu}+$/u.test(`${name}\n${raw}`);
  if (!restOfLine.test(after) && !nextPair.test(after)) return false;
  return separator.includes("=") ? isAtLineStart(before, name) : isLabel(before, name);
}

export function isWordOfLetters(raw: string, shortest: number): boolean {
  if (raw.length < shortest || raw.length > 64 || !onlyLetters.test(raw) || writtenWithoutSpaces.test(raw))
    return false;
  const word = raw.toLowerCase().normalize("NFC");
  if (isPlaceholder(raw) || saidOfPasswords.has(word) || passwordWords.has(word)) return false;
  return !camelCase.test(raw) || !partOfCode.test(raw);
}

/** The line up to the end of the name, or what follows the last quote in it. */
function lineBefore({ text, floor }: Reading, separatorAt: number): string {
  const before = text.slice(Math.max(floor, separatorAt - lookBack), separatorAt).replace(/[\s"'`*\\\]]+$/, "");
  return before.split(segmentStart).at(-1) ?? "";
}

// an assignment inside a block of code is indented; a file of settings is not
function isAtLineStart(before: string, name: string): boolean {
  return before === name;
}

/** `Wifi password: …` labels a value; a sentence that goes on after a colon has more words before it. */
function isLabel(before: string, name: string): boolean {
  const lead = before.slice(0, -name.length);
  if (/[:=]\s*\S/.test(lead)) return true;
  return lead.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length <= 2;
}
