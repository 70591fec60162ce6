/** A line of a question; in one about a file, the lines that go and come are told apart. */
export type QuestionLine = { text: string; change: "goes" | "comes" | undefined };

const showsChanges = /^(?:Edit|Replace) .*: \d+ lines? go(?:es)?, \d+ lines? comes? \(/;

export function questionLines({ tool, display }: { tool: string; display: string }): readonly QuestionLine[] {
  const isDiff = (tool === "write" || tool === "edit") && showsChanges.test(display);
  return display.split("\n").map((text, index) => {
    const sign = isDiff && index > 0 ? text[0] : undefined;
    return { text, change: sign === "-" ? "goes" : sign === "+" ? "comes" : undefined };
  });
}
