import { openWatched } from "../state/watched.ts";
import type { App } from "./app.ts";

type Theme = App["theme"]["value"];

// theme.js reads the same name before the first paint
const key = "steward.theme";

export function openTheme(storage: Storage, root: HTMLElement): App["theme"] {
  const kept = storage.getItem(key);
  const theme = openWatched<Theme>(kept === "light" || kept === "dark" ? kept : "system");
  show();
  return {
    get value() {
      return theme.value;
    },
    subscribe: theme.subscribe,
    set(value) {
      if (value === "system") storage.removeItem(key);
      else storage.setItem(key, value);
      theme.set(value);
      show();
    },
  };

  function show(): void {
    if (theme.value === "system") delete root.dataset.theme;
    else root.dataset.theme = theme.value;
  }
}
