/** A short name such as `work` is a conversation of the terminal; a full key is taken as it is. */
export function sessionKeyFor(name: string | undefined): string {
  if (name === undefined) return "terminal--default";
  return name.includes("--") ? name : `terminal--${name}`;
}
