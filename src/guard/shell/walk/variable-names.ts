/** Lower-case names belong to the script; others, and proxies and npm's settings, steer programs. */
export function isPlainName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && name !== "_" && !/_proxy$|^npm_/.test(name);
}

/** The variables that may be set for one command, with a value that is no path. */
export function isAllowedEnvironment(name: string, value: string): boolean {
  if (/^(?:LC_ALL|LANG|TERM)$/.test(name)) return /^[\w.@-]*$/.test(value);
  if (name === "TZ")
    return /^[\w+,<>:.-]+(?:\/[\w+-]+)*$|^$/.test(value) && !value.includes("..") && !value.startsWith(":/");
  return /^(?:NODE_ENV|CI|NO_COLOR|FORCE_COLOR)$/.test(name);
}
