// What was typed and not saved waits, by note, while somebody looks at another page.
import type { App } from "../../app/app.ts";
import type { NotePlace, NoteText } from "./read-note.ts";

/** `base`: the text that was edited. */
export type NoteDraft = { text: string; base: NoteText };

const keptAs = "memory";

export function keptDraft(app: Pick<App, "unsaved">, place: NotePlace): NoteDraft | undefined {
  // only this file puts something there
  return app.unsaved.get(keptAs)?.get(keyOf(place)) as NoteDraft | undefined;
}

/** Without one: nothing waits any more. */
export function keepDraft(app: Pick<App, "unsaved">, place: NotePlace, draft: NoteDraft | undefined): void {
  const drafts = new Map(app.unsaved.get(keptAs));
  if (draft) drafts.set(keyOf(place), draft);
  else drafts.delete(keyOf(place));
  if (drafts.size > 0) app.unsaved.set(keptAs, drafts);
  else app.unsaved.delete(keptAs);
}

function keyOf({ path, group = "" }: NotePlace): string {
  return `${group}:${path}`;
}
