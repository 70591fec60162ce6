type Paint = (text: string) => string;
export type Palette = ReturnType<typeof paletteFor>;

/** The few colours of the command line, from the terminal's own sixteen so that they suit its background. */
export function paletteFor(colors: boolean) {
  const paint =
    (start: number, end: number): Paint =>
    (text) =>
      colors && text !== "" ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  return {
    strong: paint(1, 22),
    faint: paint(2, 22),
    slanted: paint(3, 23),
    underlined: paint(4, 24),
    struck: paint(9, 29),
    accent: paint(36, 39),
    good: paint(32, 39),
    warning: paint(33, 39),
    bad: paint(31, 39),
  };
}
