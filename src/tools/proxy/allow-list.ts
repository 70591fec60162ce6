/** Exact names and `*.suffix`; a suffix does not include the bare domain, nor an address. */
export function isAllowedHost(patterns: readonly string[], host: string): boolean {
  const name = plainName(host);
  if (name === "") return false;
  return patterns.some((pattern) => {
    const wanted = plainName(pattern);
    if (!wanted.startsWith("*.")) return wanted === name;
    return name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1;
  });
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
