/** The addresses that stand in a page's text, so that they may be followed as they stood. */
export function linksIn(text: string): readonly string[] {
  const spelled = [...text.matchAll(/https?:\/\/[^\s<>"'`\\]+/gi)].map(([found]) => found);
  // in Markdown an address stands in brackets, in plain text it may hold some itself
  const read = (found: string) => [found.split(/[)\]]/)[0] ?? "", found.replace(/[)\]}.,;:!?*_]+$/, "")];
  return [...new Set(spelled.flatMap(read))].filter((address) => URL.canParse(address));
}
