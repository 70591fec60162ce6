export type TasksPlace =
  | { view: "list" }
  | { view: "calendar"; month: string | undefined }
  | { view: "new" }
  | { view: "one"; id: string }
  | { view: "edit"; id: string };

/** The parts of the address after /tasks: nothing, `calendar/2026-11`, `new`, `<id>` or `<id>/edit`. */
export function readPlace([first, second]: readonly string[]): TasksPlace {
  if (first === undefined) return { view: "list" };
  if (first === "calendar") return { view: "calendar", month: second };
  if (first === "new") return { view: "new" };
  return { view: second === "edit" ? "edit" : "one", id: first };
}
