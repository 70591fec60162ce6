const longestPlainPath = 200;

/**
 * Where a fetch sends something: to the origin, and if the URL could carry data, to exactly that URL, so that its owner must
 * have named it.
 */
export function destinationsOf(text: string): readonly string[] {
  const url = URL.parse(text);
  if (!url || url.origin === "null") return [text];
  return couldCarryData(url) ? [url.origin, text] : [url.origin];
}

export function hostLabel(url: string): string | undefined {
  const host = URL.parse(url)?.host;
  return host ? `web:${host}` : undefined;
}

function couldCarryData(url: URL): boolean {
  return url.search !== "" || url.hash !== "" || url.pathname.length > longestPlainPath;
}
