export type TasksPlace =
  | { view: "list" }
  | { view: "calendar"; month: string | undefined }
  | { view: "new"; action: "do" | "say"; day: string | undefined }
  | { view: "one"; id: string }
  | { view: "edit"; id: string };

/** The parts of the address after /tasks: nothing, `calendar/2026-11`, `new`, `new/reminder`, `new/2026-11-20`, `<id>` or `<id>/edit`. */
export function readPlace([first, second]: readonly string[]): TasksPlace {
  if (first === undefined) return { view: "list" };
  if (first === "calendar") return { view: "calendar", month: second };
  if (first === "new") return { view: "new", action: second === "reminder" ? "say" : "do", day: readDay(second) };
  return { view: second === "edit" ? "edit" : "one", id: first };
}

function readDay(text: string | undefined): string | undefined {
  const isDay = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text));
  return isDay ? text : undefined;
}
