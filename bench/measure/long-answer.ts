/** An answer of 13 KB as models write them: headings, prose, lists, tables and code. */
export function longAnswer(length: number): string {
  const parts = [prose, list, code, prose, table, quote, numbered, code];
  let text = "# What I found\n\n";
  for (let at = 0; text.length < length; at++) text += (parts[at % parts.length] ?? prose)(at);
  // cut where it may, and ended so that its last words can be waited for
  return `${text.slice(0, length - lastWords.length - 2)}\n\n${lastWords}`;
}

export const lastWords = "And that was all.";

const prose = (at: number) =>
  `## Part ${at + 1}\n\nThe **first thing** to know is that \`value${at}\` depends on [the guide](https://example.com/guide) and on ` +
  `what *you* have set. It is read once, kept in memory, and never written again; whoever changes it has to begin anew, ` +
  `which costs about ${at + 3} milliseconds. There are ~~three~~ two exceptions, and both of them are harmless.\n\n`;
const list = (at: number) =>
  `- The file \`src/part-${at}.ts\` holds the rule\n- Its test lies beside it\n  - and names it in **plain words**\n` +
  `  - so that anybody can read it\n- Nothing else needs to change\n\n`;
const numbered = (at: number) =>
  `1. Open the settings and look for \`part.${at}\`\n2. Change the value, then save\n3. Watch the log for *one* line\n\n`;
const code = (at: number) =>
  `\`\`\`ts\nexport function rule${at}(value: number): string {\n  if (value < ${at}) return "too small";\n` +
  `  // the rest is decided elsewhere\n  return value.toFixed(2);\n}\n\`\`\`\n\n`;
const table = (at: number) =>
  `| name | before | after |\n| --- | ---: | ---: |\n| start | ${at + 20} ms | ${at + 11} ms |\n| turn | ${at + 9} ms | **${at + 4} ms** |\n\n`;
const quote = (at: number) =>
  `> Whoever measures wrongly is wrong ${at} times.\n> Whoever does not measure is never right.\n\n`;
