const escapeCharacter = "\u001b";

/** A terminal colour, as the terminal sees it or as JSON and source code write it. */
export const colourPattern = `(?:${escapeCharacter}|\\\\{1,16}(?:u001[bB]|x1[bB]|033|e))\\[[0-9;?]{0,16}[A-Za-z]`;
export const rawColourPattern = `${escapeCharacter}\\[[0-9;?]{0,16}[A-Za-z]`;
export const rawColourStart = escapeCharacter;
