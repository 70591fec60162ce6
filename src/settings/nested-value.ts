// A place inside JSON, named by the keys that lead to it.

export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** Puts a value in its place and makes the objects on the way; nothing happens where something else is in the way. */
export function setAt(root: unknown, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined || !isRecord(root)) return;
  if (rest.length === 0) root[name] = value;
  else {
    if (!Object.hasOwn(root, name)) root[name] = {};
    setAt(root[name], rest, value);
  }
}

export function removeAt(root: unknown, path: readonly string[]): void {
  const holder = valueAt(root, path.slice(0, -1));
  if (isRecord(holder)) delete holder[path.at(-1) ?? ""];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
