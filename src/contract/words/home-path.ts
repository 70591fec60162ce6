/** `~/notes` as settings write it, as a whole path. */
export function underHome(path: string, userHome: string): string {
  return path.startsWith("~/") ? `${userHome}/${path.slice(2)}` : path;
}
