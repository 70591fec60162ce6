/** What stands behind the method in a request's first line, read once and in only one possible way. */
export type RequestTarget = { path: string; segments: readonly string[]; query: URLSearchParams };

const maxLength = 8_192;

/** Says why not, if it is not a plain path; whatever two programs could read differently is refused (path traversal). */
export function readTarget(raw: string): RequestTarget | { problem: string } {
  if (raw.length > maxLength) return { problem: `The address is longer than ${maxLength} characters.` };
  if (!raw.startsWith("/")) return { problem: "The address must begin with a slash." };
  if (!/^[\x21-\x7e]*$/.test(raw) || /[\\#]/.test(raw))
    return { problem: "The address holds characters that must be percent-encoded." };
  const [path = "", ...rest] = raw.split("?");
  if (path.includes("//")) return { problem: "The path holds two slashes in a row." };
  const segments: string[] = [];
  for (const part of path.slice(1).split("/")) {
    const segment = readSegment(part);
    if (segment === undefined) return { problem: "The path holds a part that could be read in two ways." };
    segments.push(segment);
  }
  return { path, segments, query: new URLSearchParams(rest.join("?")) };
}

function readSegment(part: string): string | undefined {
  // encoded dots, slashes, backslashes, percent signs and control characters have no honest use in our paths
  if (/%(2e|2f|5c|25|[01][0-9a-f]|7f)/i.test(part)) return undefined;
  try {
    const segment = decodeURIComponent(part);
    return segment === "." || segment === ".." ? undefined : segment;
  } catch {
    // not UTF-8 behind the percent signs: the caller answers that it is not a plain path
    return undefined;
  }
}
