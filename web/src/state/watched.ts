/** A value that changes, and whoever wants to know. */
export type Watched<Value> = { readonly value: Value; subscribe(listener: (value: Value) => void): () => void };

export type Changeable<Value> = Watched<Value> & { set(value: Value): void };

/** True as soon as all of them are. */
export function allOf(flags: readonly Watched<boolean>[]): Watched<boolean> {
  const all = openWatched(flags.every((flag) => flag.value));
  for (const flag of flags) flag.subscribe(() => all.set(flags.every((one) => one.value)));
  return all;
}

/** Listeners are told of changes only, never of the value they can read themselves. */
export function openWatched<Value>(first: Value): Changeable<Value> {
  let current = first;
  const listeners = new Set<(value: Value) => void>();
  return {
    get value() {
      return current;
    },
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
