/** The first program of a box that waits: it says that it is there, reads what to become, and becomes it. */
export const commandDescriptor = 5;

const inputDescriptor = commandDescriptor + 1;

// some shells read their script byte by byte; anything longer is as fast in a box of its own
const longestText = 32_000;

// a shell whose script is what it is told, while the command's own input is kept beside
const script = `
echo ready >&${commandDescriptor}
exec /bin/sh ${inputDescriptor}<&0 <&${commandDescriptor} ${commandDescriptor}>&-
`;

export const readerWords: readonly string[] = ["/bin/sh", "-c", script];

/** What the reader runs to become the command; undefined for a command that it could not read faithfully. */
export function textForReader(argv: readonly string[], takesInput: boolean): string | undefined {
  // a shell's exec would take the first for an option, and no shell reads a zero byte
  if (argv[0]?.startsWith("-") || argv.some((word) => word.includes("\0"))) return undefined;
  const input = takesInput ? `&${inputDescriptor}` : "/dev/null";
  // in braces: nothing is run before all of it has arrived
  const text = `{\nexec <${input} ${inputDescriptor}<&-\nexec ${argv.map(quoted).join(" ")}\n}\n`;
  return text.length <= longestText ? text : undefined;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
