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
  return [...text.matchAll(/https?:\/\/[^\s<>"'`]+/gi)].flatMap(([found]) => URL.parse(found) ?? []);
}

// whole words only: who writes of bob@example.com has not named ob@example.com
function hasWord(text: string, word: string): boolean {
  const [spoken, wanted] = [text.toLowerCase(), word.toLowerCase()];
  for (let at = spoken.indexOf(wanted); at >= 0; at = spoken.indexOf(wanted, at + 1)) {
    const before = spoken[at - 1] ?? " ";
    const after = spoken.slice(at + wanted.length, at + wanted.length + 2);
    if (!/[\p{L}\p{N}@._%+/-]/u.test(before) && !/^(?:[\p{L}\p{N}@_%+/-]|\.[\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}
