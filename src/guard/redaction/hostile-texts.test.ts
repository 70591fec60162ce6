import { expect, test } from "vitest";
import { openRedactor } from "./redactor.ts";

const { redact } = openRedactor({
  known: ['Open "sesame" \\ 7', "line one of it\nand line two of it", "ababababababababababc"],
});

/** Each makes some rule look far ahead, again and again. */
const units = [
  "a",
  "-----BEGIN ",
  "=",
  "a=",
  "eyJ",
  "eyJaaaaaaaaaaaa-",
  '"',
  "\\",
  "password=",
  'password="',
  "://a:",
  " -u ",
  "Bearer ",
  "sk-ant-",
  "-----BEGIN RSA PRIVATE KEY-----",
  "Cookie: a=",
  "\u001b[",
  "%",
  "M",
  "Private-Lines: 1 ",
  "WIFI:S:",
  "WIFI:S:x;",
  "WIFI:P:\\;",
  "seed phrase: ",
  "seed phrase abandon ",
  "mnemonic ",
  "app password ",
  "private key ",
  "private key 0x",
  "$6$a",
  "$6$a$",
  "password: |\n  a1b2c3\n",
  "password: |\n",
  'recovery_codes: ["a1b2-c3d4",',
  "codes: [",
  "mot de passe : ",
  "пароль: ",
  "密码：",
  "password: Wort ",
  "Passwort: Wort\n",
  "Unseal Key 1: ",
  "operator unseal ",
  "login a ",
  "?code=",
  "a\u200b",
  "\u200b",
  "ghp_\u200b",
  "ghp_a\u001b[31m",
  "\u001b]8;;",
  "\\u200b",
  "&#8203;",
  "2a",
  "abcdefg2",
  'Open "\n',
  "Open \u200b",
  "\n",
  "\\n",
  "LS0tLS1CRUdJTi",
  "O\np\ne\nn\n",
  "ab",
  "ab\n",
  "token:\n",
  'token: ["',
  "mnemonic abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon the ",
];

test.each(units)("time grows no faster than the text, with %j repeated", { retry: 2 }, (unit) => {
  const small = unit.repeat(Math.ceil(40_000 / unit.length));
  const large = small.repeat(4);
  redact(small);
  expect(leastMicroseconds(large) / leastMicroseconds(small)).toBeLessThan(8);
});

/** Processor time of this thread, which other programs on the machine do not change as they change the clock's. */
function leastMicroseconds(text: string): number {
  const runs = Array.from({ length: 2 }, () => {
    const before = process.threadCpuUsage();
    redact(text);
    return process.threadCpuUsage(before).user;
  });
  // below a few milliseconds the measuring itself counts for more than the text
  return Math.max(4_000, Math.min(...runs));
}
