// 400 days, the longest that browsers keep one; the server's own record decides when the session ends
const maxAgeSeconds = 34_560_000;
const mostTried = 4;

/** Cookies do not know ports, so the name does: two Stewards on one machine keep their sessions apart. */
export function sessionCookieName(port: number): string {
  return `steward_${port}`;
}

/** Without a token it ends the session in the browser. */
export function sessionCookie(name: string, token: string): string {
  const maxAge = token === "" ? 0 : maxAgeSeconds;
  return `${name}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
}

/** Every value sent under the name: another port of this host may have planted a second one, which must lock nobody out (cookie tossing). */
export function readSessionCookies(header: string | undefined, name: string): readonly string[] {
  return (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .slice(0, mostTried);
}
