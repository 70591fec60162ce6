// As many units as are wanted, from what was said in the conversations: told over and over, and each time one word of seven is another.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Conversation, dayOf } from "./conversations.ts";

export type Line = { file: string; text: string };

// a memory reads no more files than 20,000, and a longer session would be one that nobody has
const mostFiles = 18_000;

export function* manyLines(conversations: readonly Conversation[], count: number): Iterable<Line> {
  const sessions = conversations.flatMap((conversation) => conversation.sessions);
  const turns = sessions.reduce((sum, session) => sum + session.turns.length, 0);
  const together = Math.ceil((count / turns) * (sessions.length / mostFiles));
  let left = count;
  for (let round = 0; left > 0; round++)
    for (const [at, session] of sessions.entries()) {
      const first = sessions[at - (at % together)] ?? session;
      const file = `memory/${dayOf(first)}-r${round}-s${Math.floor(at / together)}.md`;
      for (const [turn, { speaker, text }] of session.turns.entries())
        if (left-- > 0) yield { file, text: `${speaker}: ${changed(text, turn, round)}` };
    }
}

function changed(text: string, turn: number, round: number): string {
  if (round === 0) return text;
  const isOther = (word: number) => (word + turn + round) % 7 === 0;
  return text
    .split(" ")
    .map((word, at) => (isOther(at) ? [...word].reverse().join("") : word))
    .join(" ");
}

export async function writeManyLines(workspace: string, lines: Iterable<Line>): Promise<void> {
  await mkdir(join(workspace, "memory"), { recursive: true });
  let file: string | undefined;
  let texts: string[] = [];
  const write = async () => {
    if (file !== undefined) await writeFile(join(workspace, file), `# ${file}\n\n${texts.join("\n")}\n`);
    texts = [];
  };
  for (const line of lines) {
    if (line.file !== file) await write();
    file = line.file;
    texts.push(line.text);
  }
  await write();
}
