// The cells of one table come in; a pipe table goes out, or its texts one by one when it only arranged the page.

export function openTableRows() {
  let rows: string[][] = [];
  let isLayout = false;
  return {
    nextRow: () => void rows.push([]),
    addCell(text: string): void {
      if (rows.length === 0) rows.push([]);
      rows.at(-1)?.push(text.replaceAll("\n", " "));
    },
    take,
    /** From here on the table is only an arrangement of the page. */
    makeLayout: () => {
      isLayout = true;
    },
    isLayout: () => isLayout,
  };

  /** The blocks of Markdown that stand for what has come in so far. */
  function take(): readonly string[] {
    const filled = rows.filter((row) => row.some((cell) => cell !== ""));
    rows = [];
    const isTable = !isLayout && filled.some((row) => row.filter((cell) => cell !== "").length > 1);
    return isTable ? [pipeTable(filled)] : filled.flat().filter((cell) => cell !== "");
  }
}

function pipeTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const lines = [head, head.map(() => "---"), ...others];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
