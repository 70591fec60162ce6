// 400 days, the longest that browsers keep one; the server's own record decides when the session ends
const maxAgeSeconds = 34_560_000;
const mostTried = 4;

/** Cookies do not know ports, so the name does: two Stewards on one machine keep their sessions apart. */
export function sessionCookieName(port: number): string {
  return `steward_${port}`;
}

export function sessionCookie(name: string, token: string): string {
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
}

export function endedSessionCookie(name: string): string {
  return `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`;
}

/** Every value sent under the name: another port of this host may have planted a second one, which must lock nobody out (cookie tossing). */
export function readSessionCookies(header: string | undefined, name: string): readonly string[] {
  if (!header) return [];
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .slice(0, mostTried);
}
