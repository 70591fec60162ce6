import type { CodeLine } from "./colour-worker.ts";
import { languageId } from "./language-names.ts";

const mostCharacters = 30_000;

/** Undefined for what stays plain: a language nobody knows, or more text than is worth the time. */
export async function colourCode(text: string, language: string): Promise<readonly CodeLine[] | undefined> {
  if (language === "" || text.length > mostCharacters) return undefined;
  try {
    const { codeColours } = await import("./code-colours.ts");
    return await codeColours.colour(text, languageId(language));
  } catch {
    // the colours could not be loaded, as after an update of Steward: code is as readable without
    return undefined;
  }
}
