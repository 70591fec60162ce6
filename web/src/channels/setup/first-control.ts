// Where the keyboard goes on when the step it was in has closed.

const usable = "a[href], button:not([disabled]), input, select, textarea";

/** The first thing in there that can be used, inside elements of ours too; false: there is none. */
export async function focusFirstControl(place: ParentNode): Promise<boolean> {
  const found = await firstControl(place);
  found?.focus();
  return found !== undefined;
}

/** What had it is gone or was switched off, and nobody has gone elsewhere. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

async function firstControl(place: ParentNode): Promise<HTMLElement | undefined> {
  for (const one of place.querySelectorAll<HTMLElement>("*")) {
    // an element of ours has drawn nothing yet when it has just come
    if ("updateComplete" in one) await one.updateComplete;
    const inner = one.shadowRoot ? await firstControl(one.shadowRoot) : undefined;
    if (inner) return inner;
    if (one.matches(usable) && one.checkVisibility()) return one;
  }
  return undefined;
}
