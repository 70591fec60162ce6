// The rows of what is planned: read from a tool's answer, shown with numbers, and found again by them.
import type { Scene } from "../../intent.ts";

export type Line = { id: string; words: string };

/** `<id>  <title> — <when>; next <time>; <state>`: people get a number in the place of the id. */
export function linesOf(output: string): Line[] {
  return output.split("\n").flatMap((line) => {
    const [, id = "", words = ""] = /^(\S+) {2}(\S.*)$/.exec(line) ?? [];
    return id === "" ? [] : [{ id, words }];
  });
}

export function numberedLines(lines: readonly Line[], most = lines.length): string {
  const shown = lines.slice(0, most).map(({ words }, index) => `${index + 1}. ${words}`);
  return [...shown, ...(lines.length > most ? [`and ${lines.length - most} more`] : [])].join("\n");
}

// what people need to name a task is its title or its number
export function withoutId(output: string): string {
  return output.replace(/ \(t[a-z0-9]{10}\)(?=[.;]|$)/gm, "");
}

export function titleOf({ words }: Line): string {
  return words.split(" — ")[0] ?? words;
}

/** The list that the person saw last; undefined, if none was shown. */
export function shownLines({ earlier }: Pick<Scene, "earlier">): readonly Line[] | undefined {
  const at = earlier.findLastIndex((said) => said.by === "assistant" && said.isOwn && /^1\. .+ — /m.test(said.text));
  const shown = earlier[at];
  if (shown?.by !== "assistant") return undefined;
  const source = earlier.slice(0, at).findLast((said) => said.by === "tool" && linesOf(said.output).length > 0);
  const known = source?.by === "tool" ? linesOf(source.output) : [];
  return [...shown.text.matchAll(/^\d{1,4}\. (.*)$/gm)].map(([, words = ""]) => {
    const found = known.findIndex((line) => line.words === words || words.startsWith(`${line.words} (`));
    // two that read alike are two rows all the same
    return known.splice(found, found < 0 ? 0 : 1)[0] ?? { id: titleOf({ id: "", words }), words };
  });
}
