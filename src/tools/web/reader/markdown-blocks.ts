// Paragraphs come in one after the other; a Markdown text with its lists and quotes indented goes out.

type Container = { first: string; rest: string; isBegun: boolean };

const deepestContainer = 8;

export function openMarkdownBlocks() {
  const written: string[] = [];
  const containers: Container[] = [];
  let lastInList = false;
  return { add, enter, leave: () => void containers.pop(), endList, text: () => written.join("") };

  function add(text: string): void {
    if (text === "") return;
    const innermost = containers.at(-1);
    const isListItem = innermost !== undefined && innermost.first !== innermost.rest;
    const isTight = isListItem && !innermost.isBegun && lastInList;
    const between = containers
      .map((container) => (container.isBegun ? container.rest : ""))
      .join("")
      .trimEnd();
    if (written.length > 0) written.push(isTight ? "\n" : `\n${between}\n`);
    written.push(text.split("\n").map(prefixed).join("\n"));
    lastInList = isListItem;
  }

  function prefixed(line: string): string {
    let prefix = "";
    for (const container of containers) {
      prefix += container.isBegun ? container.rest : container.first;
      container.isBegun = true;
    }
    return `${prefix}${line}`.trimEnd();
  }

  /** The next list item begins another list. */
  function endList(): void {
    lastInList = false;
  }

  /** A quote or list item: what stands before its first line and before all others; false: too deep to show. */
  function enter(first: string, rest: string): boolean {
    if (containers.length >= deepestContainer) return false;
    containers.push({ first, rest, isBegun: false });
    return true;
  }
}
