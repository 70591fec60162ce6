/** Whether somebody's own words name a place: an address to the letter, a site by its address or its name. */
export function isNamedIn(text: string, destination: string): boolean {
  const site = siteOf(destination);
  if (!site) return hasWord(text, destination);
  return hasWord(text, site.host) || urlsIn(text).some((url) => url.origin === site.origin);
}

/** The site, if the destination is no more than that; a longer URL could carry anything in its path or query. */
function siteOf(destination: string): URL | undefined {
  const url = URL.parse(destination);
  const isWhole =
    url &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "";
  return isWhole ? url : undefined;
}

function urlsIn(text: string): readonly URL[] {
  return [...text.matchAll(written)].flatMap(([found]) => URL.parse(found) ?? []);
}

const written = /https?:\/\/[^\s<>"'`]+/gi;
const withoutScheme =
  /(?<![\p{L}\p{N}@./_-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/gu;
const closing = /[.,;:!?)\]}*_»”’]+$/u;

/** Every address that somebody wrote, to the letter; what ends a sentence may or may not belong to it. */
export function addressesIn(text: string): readonly string[] {
  const spelled = [...text.matchAll(written), ...text.matchAll(withoutScheme)].map(([found]) => found);
  return spelled
    .flatMap((found) => [found, found.replace(closing, "")])
    .map((found) => found.replace(/^https?:\/\//i, ""))
    .flatMap((rest) => [`https://${rest}`, `http://${rest}`])
    .flatMap(asOffered);
}

/** An address in the one spelling by which it is compared. What stands behind # no server sees, but the page itself does. */
export function canonicalAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url.href : undefined;
}

/** What may be opened where somebody offers this address: it, and the page without the place on it. */
export function asOffered(address: string): readonly string[] {
  const whole = canonicalAddress(address);
  return whole === undefined ? [] : [whole, whole.replace(/#.*$/s, "")];
}

const longestPlainPath = 200;

/** A page of a site that somebody has named; if its address could carry something, they must have named exactly it. */
export function isNamedPage(text: string, address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.origin === "null") return isNamedIn(text, address);
  const couldCarry = url.search !== "" || url.hash !== "" || url.pathname.length > longestPlainPath;
  return isNamedIn(text, url.origin) && (!couldCarry || isNamedIn(text, address));
}

// whole words only: who writes of bob@example.com has not named ob@example.com
function hasWord(text: string, word: string): boolean {
  const [spoken, wanted] = [text.toLowerCase(), word.toLowerCase()];
  // found everywhere and without end, but named by nobody
  if (wanted === "") return false;
  for (let at = spoken.indexOf(wanted); at >= 0; at = spoken.indexOf(wanted, at + 1)) {
    const before = spoken[at - 1] ?? " ";
    const after = spoken.slice(at + wanted.length, at + wanted.length + 2);
    if (!/[\p{L}\p{N}@._%+/-]/u.test(before) && !/^(?:[\p{L}\p{N}@_%+/-]|\.[\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}
