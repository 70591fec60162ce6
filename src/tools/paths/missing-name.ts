import { opendir } from "node:fs/promises";
import { quoteName } from "./escape-text.ts";
import type { Refusal } from "./refusal.ts";
import { isTemporaryName } from "./reserved-names.ts";

// in a larger folder a suggestion is not worth the reading
const mostNamesCompared = 5000;
const longestNameCompared = 64;
const mostSuggestions = 3;

/** Says that a name does not exist, and which names of the same folder may have been meant. */
export async function missingRefusal(folderPath: string, name: string, shown: string): Promise<Refusal> {
  const near = nearNames(name, await namesIn(folderPath)).map(quoteName);
  const advice = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "Use list to see what is there.";
  return { refused: `${shown} does not exist. ${advice}`, isMissing: true };
}

/** The names most like the wanted one, nearest first. */
function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const lowered = wanted.toLowerCase();
  const furthest = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  return names
    .filter((name) => name.length <= longestNameCompared)
    .filter((name) => Math.abs(name.length - wanted.length) <= furthest)
    .map((name) => ({ name, distance: editDistance(lowered, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, mostSuggestions)
    .map(({ name }) => name);
}

async function namesIn(folderPath: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(folderPath)) {
    if (!isTemporaryName(entry.name)) names.push(entry.name);
    if (names.length >= mostNamesCompared) break;
  }
  return names;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
