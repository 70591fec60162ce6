// The page Memory with a memory as the test wants it; all else is the real gateway's.
import type { BrowserContextOptions, Page } from "playwright-core";
import type { MemoryFind } from "../../../src/contract/memory/memory-place.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { answerMemoryMethods, type FakeMemory } from "../../fakes/memory/memory-methods.ts";
import { eventually } from "../eventually.ts";
import { isLoaded } from "./page-scene.ts";
import { composer, type PageStage } from "./page-stage.ts";

export type MemoryScene = { page: Page; memory: FakeMemory };

export async function arriveAtMemory(
  { visitor, assistant }: PageStage,
  arrange: (memory: FakeMemory) => void = () => {},
  { path = "/memory", ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<MemoryScene> {
  const { page, context } = await visitor.arrive(assistant, options);
  const memory = await answerMemoryMethods(context);
  arrange(memory);
  await page.goto(await assistant.link());
  await composer(page).waitFor();
  await page.goto(`${assistant.origin}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await eventually(() => page.evaluate(isLoaded));
  return { page, memory };
}

export function find(more: Partial<MemoryFind> = {}): MemoryFind {
  return {
    ...{ path: "MEMORY.md", startLine: 3, endLine: 3, date: "2026-11-15", score: 0.82 },
    ...{ why: ["the words “anna” and “berlin”", "alike in meaning"] },
    ...{ text: "# People\n- Anna moved to Berlin in October", speakers: [], labels: [] },
    ...(more.text === undefined && {
      best: { text: "- Anna moved to Berlin in October", date: "2026-11-15", startLine: 3 },
    }),
    ...more,
  };
}

export const notes = `# People

- Anna moved to Berlin in October
- Her bicycle is blue
- Dr Lindgren is the dentist

# House

- The boiler is serviced every November
`;

const talkOfRent = [
  "I may look for another place.",
  "Steward: Tell me where.",
  "What does a flat in Berlin cost?",
  "Steward: About 18 € a square metre.",
  "And in Leipzig?",
  "Steward: About 10 €.",
];

/** What somebody has after some weeks. */
export function livedIn(memory: FakeMemory): void {
  memory.write("MEMORY.md", "# People\n\n- Anna moved to Hamburg\n- Her bicycle is blue\n");
  memory.write("MEMORY.md", notes, "owner");
  memory.write("USER.md", "I am called Zoë and get up at six.\n", "owner");
  memory.write("SOUL.md", "You are calm.\n", "owner");
  memory.write("memory/2026-11-15.md", "Anna’s birthday is on 3 March.\n");
  Object.assign(memory.status, { units: 1_204, files: 3, conversations: 12, bytes: 3_200_000 });
  memory.finds = [
    find(),
    find({
      ...{ path: undefined, startLine: undefined, endLine: undefined, sessionKey: "web--talk", fromSeq: 7, toSeq: 9 },
      ...{ score: 0.41, why: ["the word “berlin”"], speakers: ["Steward"], date: "2026-10-02" },
      ...{ text: talkOfRent.join("\n"), labels: ["web:example.org"] },
      best: { text: "What does a flat in Berlin cost?", date: "2026-10-02", seq: 8 },
    }),
  ];
  memory.recalls = [12, 11].map((seq) => ({
    ...{ seq, atMs: Date.now() - (13 - seq) * 60_000, sessionKey: "web--talk", turn: `t${seq}`, tokens: 42 },
    question: seq === 12 ? "Where does Anna live now?" : "What colour is her bicycle?",
    finds:
      seq === 12
        ? [find({ best: undefined }), { ...find({ path: "memory/old.md", best: undefined }), text: undefined }]
        : [find({ startLine: 4, endLine: 4, text: "- Her bicycle is blue" })],
  }));
  memory.mentions = [
    { path: "MEMORY.md", line: 3, text: "- Anna moved to Berlin in October" },
    { path: "memory/2026-11-15.md", line: 1, text: "Anna’s birthday is on 3 March." },
    { sessionKey: "web--talk", seq: 7, who: "person", atMs: Date.now() - 90_000_000, text: "Anna asks for the key" },
  ];
}

/** A conversation about the boiler, in which something was looked up; newest first, as the gateway has it. */
export function lookedUp(memory: FakeMemory): void {
  const at = { sessionKey: "web--talk", atMs: Date.now() - 80_000_000, who: "assistant" } as const;
  memory.mentions.push(
    ...[3, 2, 1].map((page) => ({ ...at, seq: 10 + page, text: `(looked up or done) page ${page} about a boiler` })),
    { ...at, seq: 5, text: "(what a conversation is called) The old boiler" },
    { ...at, seq: 6, text: "A new boiler costs about 3,000 €." },
    { ...at, seq: 4, who: "person", text: "What does a boiler cost?" },
  );
}

/** A conversation in which two notes were recalled for a question, before the program starts; for `furnish`. */
export async function talkOfTheFlat(home: string): Promise<void> {
  const onTrouble = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const store = await openStore({ home, nowMs: Date.now, redact: (text) => text, onTrouble });
  const [conversation, turn] = ["web--flat", "flat-1"];
  const sender = { kind: "owner", id: "owner" } as const;
  const text = "Where does Anna live?";
  const { events } = await store.log.append([
    { type: "message.received", conversation, messageId: "flat", channel: "web", sender, text },
  ]);
  await store.log.append([
    { type: "turn.started", conversation, turn, messages: events.map(({ seq }) => seq) },
    {
      ...{ type: "memory.recalled", conversation, turn, tokens: 20 },
      finds: [3, 4].map((line) => ({ path: "MEMORY.md", startLine: line, endLine: line, score: 0.8, why: ["“anna”"] })),
    },
    { type: "reply.written", conversation, turn, channel: "web", text: "In Berlin." },
    { type: "turn.finished", conversation, turn, ending: "answered" },
  ]);
  await store.close();
}
