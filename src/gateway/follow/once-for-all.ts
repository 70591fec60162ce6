/** However many follow, what they are told is made once: `make` is asked once for each object. */
export function onceForAll<Item extends object, Made>(make: (item: Item) => Made): (item: Item) => Made {
  const made = new WeakMap<Item, Made>();
  return (item) => {
    const known = made.get(item);
    if (known !== undefined) return known;
    const fresh = make(item);
    made.set(item, fresh);
    return fresh;
  };
}
