import type { Format } from "./format.ts";

// in a shell or a compose file the dollar sign is escaped
const dollar = `\\\\{0,8}[$]{1,2}`;
const schemes =
  "1 5 6 7 y gy 2a 2b 2x 2y apr1 sha1 md5 argon2i argon2d argon2id scrypt pbkdf2 pbkdf2-sha256 pbkdf2-sha512";

/** `$6$salt$hash` and its relatives in shadow files, htpasswd and databases; the scheme may be seen. */
export const passwordHashFormats: readonly Format[] = [
  {
    name: "password-hash",
    prefixes: schemes.split(" ").flatMap((scheme) => [`${scheme}$`, `${scheme}\\`]),
    lead: `(?<=\\$)(?:${schemes.split(" ").join("|")})${dollar}`,
    body: `(?:[\\w./,=+-]{1,64}${dollar}){0,4}[A-Za-z0-9./+]{22}`,
    tail: "token",
    reach: { stop: /[\s"'`:;|]/, limit: 600 },
    isSecret: (secret) => !/[xX.]{12}/.test(secret),
  },
];
