/** The first program of a box that waits: it says that it is there, reads what to become, and becomes it. */
export const commandDescriptor = 5;

// read goes byte by byte from a socket; anything longer is faster in a box of its own
const longestText = 4096;

const script = `
echo ready >&${commandDescriptor}
text=
while IFS= read -r line <&${commandDescriptor}; do text="$text$line
"; done
eval "$text"
`;

export const readerWords: readonly string[] = ["/bin/sh", "-c", script];

/** What the reader runs to become the command; undefined for a command that it could not read faithfully. */
export function textForReader(argv: readonly string[]): string | undefined {
  // a shell's exec would take the first for an option, and shells differ in bytes beyond ASCII
  if (argv[0]?.startsWith("-") || argv.some((word) => !/^[\t\n\x20-\x7e]*$/.test(word))) return undefined;
  const text = `exec ${commandDescriptor}>&-\nexec ${argv.map(quoted).join(" ")}\n`;
  return text.length <= longestText ? text : undefined;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
