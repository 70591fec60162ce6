// A question of nothing but little words ("The Who") is looked for as it stands, since the index holds none of them.
import type { Index } from "../index/open-index.ts";
import { words } from "../text/words.ts";
import type { Find } from "./passages.ts";

export function findPhrase({ file }: Index, query: string, most: number): readonly Find[] {
  const phrase = words(query);
  if (phrase.length === 0) return [];
  // what is between the words is looked at below
  const like = `%${phrase.map((word) => word.replaceAll(/[%_\\]/g, "\\$&")).join("%")}%`;
  const rows = file.lists("SELECT id, text FROM units WHERE text LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT 1000", like);
  const wanted = ` ${phrase.join(" ")} `;
  return rows
    .filter(([, text]) => ` ${words(String(text)).join(" ")} `.includes(wanted))
    .slice(0, most)
    .map(([id]) => ({ units: [Number(id)], best: Number(id), score: 1, why: [`says “${query.trim().slice(0, 60)}”`] }));
}
