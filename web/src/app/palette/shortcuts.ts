// The keys of the whole window, in one table: the listener acts on them and the help shows them.

export type ShortcutName = "palette" | "help" | "new-chat" | "search" | "sidebar";
export type Shortcut = { name: ShortcutName; keys: string; about: string };

export const shortcuts: readonly Shortcut[] = [
  { name: "palette", keys: "Ctrl K", about: "Find anything, do anything" },
  { name: "new-chat", keys: "n", about: "Start a new chat" },
  { name: "search", keys: "/", about: "Search in all conversations" },
  { name: "sidebar", keys: "[", about: "Hide or show the sidebar" },
  { name: "help", keys: "?", about: "Show these keys" },
];

export type OtherKeys = { place: string; keys: readonly (readonly [keys: string, about: string])[] };

/** Keys that pages act on themselves; told here so that one list holds them all. */
export const otherKeys: readonly OtherKeys[] = [
  {
    place: "In the chat",
    keys: [
      ["Enter", "Send"],
      ["Shift Enter", "New line"],
      ["↑", "Change your last message"],
      ["Esc Esc", "Stop the answer"],
      ["a d", "Approve, deny the question in focus"],
    ],
  },
  {
    place: "In the inbox",
    keys: [
      ["j k", "Next, previous"],
      ["a", "Approve"],
      ["d", "Deny"],
      ["x", "Select for several at once"],
      ["Enter", "Open the conversation"],
    ],
  },
  {
    place: "In the memory",
    keys: [
      ["/", "Search"],
      ["↓ ↑", "To the results"],
      ["Enter", "Open"],
      ["Esc", "Back"],
    ],
  },
  {
    place: "On a conversation in the list",
    keys: [
      ["F2", "Rename"],
      ["Delete", "Delete"],
    ],
  },
];

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** Single letters count only while nobody is typing. */
export function shortcutOf(press: KeyPress, isTyping: boolean): ShortcutName | undefined {
  const key = press.key.toLowerCase();
  if ((press.ctrlKey || press.metaKey) && !press.altKey) return key === "k" ? "palette" : undefined;
  if (isTyping || press.altKey) return undefined;
  return shortcuts.find((shortcut) => shortcut.keys === key)?.name;
}

export function isTypingIn(event: Event): boolean {
  const [target] = event.composedPath();
  // a field of a dialog that has just closed keeps the focus for a moment, and takes no letters any more
  if (!(target instanceof HTMLElement) || !target.checkVisibility()) return false;
  const isKnob = target instanceof HTMLInputElement && ["checkbox", "radio", "button"].includes(target.type);
  return target.isContentEditable || (target.matches("input, textarea, select") && !isKnob);
}
