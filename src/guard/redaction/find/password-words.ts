import { endsInOneOf } from "./word-ending.ts";

const inLatinLetters =
  "password passwords passwd passphrase passcode pwd passwort passwörter kennwort kennwörter passord lösenord losenord wachtwoord " +
  "adgangskode kodeord salasana parool parola parolă şifre sifre contraseña contrasena contraseñas senha senhas " +
  "palavra-passe palavrapasse motdepasse mdp heslo hasło haslo geslo lozinka jelszó jelszo slaptažodis lykilorð pasahitza contrasenya";
const inOtherLetters =
  "пароль пароля паролі лозинка парола κωδικός κωδικος סיסמה סיסמא パスワード 暗証番号 密码 密碼 口令 비밀번호 암호 पासवर्ड รหัสผ่าน";
const inSeveralWords = [
  "mots? de passe(?: d['’]application)?",
  "palavra[ -]passe",
  "palabra clave",
  "parola d['’]ordine",
  "kata sandi",
  "mật khẩu",
  "mat khau",
  "كلمة (?:المرور|السر)",
  "(?:contraseña|senha) de (?:aplicaci[oó]n|aplicativo|app)",
];

/** Names such as `db_passwort`, without the ones that have a rule of their own. */
export const foreignPasswordName = new RegExp(
  `(?:${inLatinLetters
    .split(" ")
    .filter((word) => word !== "mdp")
    .join("|")}|(?:^|[_.-])mdp)$`,
  "i",
);

const words = `${inLatinLetters} ${inOtherLetters}`.split(" ");

/** The word itself is what a form or a list of translations shows; it is nobody's password. */
export const passwordWords: ReadonlySet<string> = new Set(words);

const writtenTogether = inOtherLetters.split(" ").filter((word) => /[\u0e00-\u0e7f\u3040-\ud7af]/.test(word));
const severalWords = new RegExp(
  `(?:^|[^\\p{L}]|\\\\[nrt])((?:${[...inSeveralWords, ...words].join("|")})(?: (?:is|ist|lautet|est|è|é|jest|är))?)$`,
  "iu",
);
const lastWords = new Set(
  (
    "passe application clave ordine sandi khau khẩu المرور السر aplicacion aplicación aplicativo app " +
    "is ist lautet est è é jest är"
  ).split(" "),
);
const mayBeLastWord = endsInOneOf("se on ve ne di au vo pp is st et");
const longestName = 32;

/** A name for passwords that ends here and has spaces or letters beyond ASCII in it: `mot de passe`, `пароль`, `password is`. */
export function passwordNameBefore(text: string, end: number, lastWord: string, floor: number): string | undefined {
  const isForeign = text.charCodeAt(end - lastWord.length - 1) > 127;
  if (!isForeign && !(mayBeLastWord(lastWord) && lastWords.has(lastWord.toLowerCase()))) return undefined;
  const start = wordStart(text, end, floor);
  const word = text.slice(start, end).normalize("NFC").toLowerCase();
  if (passwordWords.has(word)) return text.slice(start, end);
  if (lastWords.has(word))
    return severalWords.exec(text.slice(Math.max(floor, end - longestName), end).normalize("NFC"))?.[1];
  return writtenTogether.find((name) => word.endsWith(name));
}

function wordStart(text: string, end: number, floor: number): number {
  let start = end;
  while (start > floor && end - start < longestName && isLetter(text.charCodeAt(start - 1))) start--;
  // the letter of `\n` is no part of the word
  return text[start - 1] === "\\" && "nrt".includes(text.charAt(start)) ? start + 1 : start;
}

function isLetter(code: number): boolean {
  return (code > 127 && code !== 0xa0 && code !== 0x202f) || ((code | 32) >= 97 && (code | 32) <= 122);
}
