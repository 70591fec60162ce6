// A row of a table says little without the names of its columns: Leo: Birthday 9 September, Gift Lego train.

export type Row = {
  words: string /** It is about whom it names, whatever stands above the table. */;
  isOfSomebody: boolean;
};

/** The rows as sentences, by their places; undefined: what names the columns, or stands between. */
export function tableRows(lines: readonly string[]): ReadonlyMap<number, Row | undefined> {
  const found = new Map<number, Row | undefined>();
  let columns: readonly string[] | undefined;
  for (const [at, line] of lines.entries()) {
    if (!/^\s{0,3}\|.*\|\s*$/.test(line)) columns = undefined;
    else if (columns === undefined || /^[|\s:-]+$/.test(line)) {
      columns ??= cellsOf(line);
      found.set(at, undefined);
    } else found.set(at, rowOf(columns, cellsOf(line)));
  }
  return found;
}

function rowOf([first = "", ...columns]: readonly string[], [name = "", ...cells]: readonly string[]): Row {
  const filled = cells.flatMap((cell, at) => (cell === "" ? [] : [`${columns[at] ?? ""} ${cell}`.trim()]));
  return { words: `${name}: ${filled.join(", ")}`, isOfSomebody: /^(?:name|person|who)$/i.test(first) };
}

function cellsOf(line: string): readonly string[] {
  const bare = line.trim().slice(1, -1);
  return bare.split("|").map((cell) => cell.trim());
}
