// A assistant in which somebody has lived for a month: what the pages look like in use, for axe and for the README's pictures.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore, type Store } from "../../../src/store/open-store.ts";
import { type RunningSteward, type Scripts, startSteward } from "./page-scene.ts";

const dayMs = 86_400_000;
const model = "anthropic/claude-sonnet-5";
const localModel = "ollama/qwen3-14b";

const subscriptions = `# Subscriptions

- Music: 10.99 a month, renews on the 18th
- Cloud backup: 29.90 a year, renews on the 21st
- Newspaper: 24.00 a month, renews on the 24th
- Domain name: 14.50 a year, renews on the 30th
`;

const renewals = `Four of them renew before the month ends:

| Service | Renews | Price | Paid |
| --- | --- | ---: | --- |
| Music | 18 November | 10.99 | monthly |
| Cloud backup | 21 November | 29.90 | yearly |
| Newspaper | 24 November | 24.00 | monthly |
| Domain name | 30 November | 14.50 | yearly |

That is **79.39 €** in all. The newspaper is the only one you have not opened since August, and it can be cancelled until the 20th.`;

const reminder = `import csv, datetime, pathlib

WEEK = datetime.timedelta(days=7)


def due(path: pathlib.Path, today: datetime.date) -> list[str]:
    """Names of everything that renews within a week."""
    rows = csv.DictReader(path.open())
    return [row["name"] for row in rows if renews(row) - today <= WEEK]
`;

const reminderAnswer = `Here is the heart of it:

\`\`\`python
${reminder}\`\`\`

I would keep it beside your notes and run it every morning.`;

export const renewalsQuestion = "Which of my subscriptions renew this month?";
export const reminderQuestion = "Write a small script that warns me a week before";

/** What is asked today. */
const scripts: Scripts = {
  [renewalsQuestion]: [
    {
      toolCalls: [
        { name: "find", arguments: { pattern: "**/*subscription*" } },
        { name: "read", arguments: { path: "notes/subscriptions.md" } },
      ],
    },
    { text: renewals },
  ],
  [reminderQuestion]: [
    {
      text: reminderAnswer,
      toolCalls: [{ name: "write", arguments: { path: "notes/renewals.py", content: reminder } }],
    },
    { text: "It is in your notes." },
  ],
  "Put the dentist into my calendar": [
    {
      toolCalls: [
        { name: "read", arguments: { path: "calendar.md" } },
        { name: "grep", arguments: { pattern: "dentist", path: "notes" } },
      ],
    },
    {
      toolCalls: [
        {
          name: "edit",
          arguments: {
            path: "calendar.md",
            edits: [{ oldText: "# Thursday\n", newText: "# Thursday\n- 15:30 dentist\n" }],
          },
        },
      ],
    },
    { text: "The dentist is in your calendar: Thursday at half past three." },
  ],
  "Tidy up the downloads folder": [
    { toolCalls: [{ name: "delete", arguments: { path: "downloads/setup-old.zip" } }] },
    { text: "Done." },
  ],
  "Add oat milk to the list": [
    {
      toolCalls: [
        {
          name: "edit",
          arguments: { path: "shopping.md", edits: [{ oldText: "- bread\n", newText: "- bread\n- oat milk\n" }] },
        },
      ],
    },
    { text: "Oat milk is on the list." },
  ],
};

type Talk = { key: string; title: string; daysAgo: number; ask: string; answer: string };
const talks: readonly Talk[] = [
  { key: "tax", title: "Tax papers", daysAgo: 26, ask: "Which receipts are missing?", answer: "Two are missing." },
  { key: "run", title: "Running plan for spring", daysAgo: 19, ask: "Plan ten weeks", answer: "Three runs a week." },
  { key: "bread", title: "Sourdough timetable", daysAgo: 8, ask: "When do I feed it?", answer: "At nine and at six." },
  {
    key: "fjord",
    title: "Packing list for Norway",
    daysAgo: 4,
    ask: "What do I pack?",
    answer: "Wool, and rain gear.",
  },
  { key: "router", title: "Router drops at night", daysAgo: 1, ask: "Why at three?", answer: "It restarts itself." },
];

/** A assistant with a past. */
export async function openUsedHome(): Promise<RunningSteward> {
  return startSteward({
    scripts,
    model,
    settings: { budgets: { perDayUsd: 2 } },
    async furnish(home) {
      await livePast(home);
      for (const folder of ["notes", "downloads"]) await mkdir(join(home, "workspace", folder), { recursive: true });
      await writeFile(join(home, "workspace", "notes", "subscriptions.md"), subscriptions);
      await writeFile(join(home, "workspace", "calendar.md"), "# Wednesday\n# Thursday\n");
      await writeFile(join(home, "workspace", "notes", "people.md"), "Dr Lindgren, dentist, by the harbour\n");
      await writeFile(join(home, "workspace", "downloads", "setup-old.zip"), "PK");
      await writeFile(join(home, "workspace", "shopping.md"), "- eggs\n- bread\n");
    },
  });
}

async function livePast(home: string): Promise<void> {
  const todayMs = Date.now();
  let nowMs = todayMs;
  const store = await openStore({
    home,
    nowMs: () => nowMs,
    redact: (text) => text,
    onTrouble: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
  for (let daysAgo = 29; daysAgo > 0; daysAgo--) {
    nowMs = todayMs - daysAgo * dayMs;
    const begun = talks.filter((talk) => talk.daysAgo === daysAgo);
    const current = talks.findLast((talk) => talk.daysAgo >= daysAgo) ?? talks[0];
    for (const talk of begun) await live(store, talk, daysAgo);
    if (begun.length === 0 && current && daysAgo % 7 !== 0) await live(store, current, daysAgo);
  }
  await store.close();
}

// as Steward itself writes it: a message that no turn has taken would be answered today
async function live({ log }: Store, talk: Talk, daysAgo: number): Promise<void> {
  const conversation = `web--${talk.key}`;
  const turn = `${talk.key}-${daysAgo}`;
  const isFirst = talk.daysAgo === daysAgo;
  const text = isFirst ? talk.answer : "Nothing until tomorrow.";
  if (isFirst) await log.append([{ type: "conversation.configured", conversation, title: talk.title }]);
  const asked = await log.append([
    {
      type: "message.received",
      conversation,
      messageId: `message-${turn}`,
      channel: "web",
      sender: { kind: "owner", id: "owner" },
      text: isFirst ? talk.ask : "And what is next?",
    },
  ]);
  await log.append([
    { type: "turn.started", conversation, turn, messages: asked.events.map(({ seq }) => seq) },
    ...steps(daysAgo, text).map((step) => ({ ...step, type: "step.finished" as const, conversation, turn })),
  ]);
  await log.append([
    { type: "reply.written", conversation, turn, channel: "web", text },
    { type: "turn.finished", conversation, turn, ending: "answered" },
  ]);
}

/** A small model looks first, a large one answers; different every day, and the same in every run. */
function steps(daysAgo: number, answer: string) {
  const wave = 1 + Math.sin(daysAgo * 1.7) / 2 + (daysAgo % 5) / 4;
  const of = (name: string, share: number, costUsd: number, text: string) => ({
    model: name,
    text,
    toolCalls: [],
    finish: "stop" as const,
    usage: { inputTokens: Math.round(48_000 * wave * share), outputTokens: Math.round(2_100 * wave * share) },
    costUsd,
    durationMs: Math.round(2_400 * wave * share),
  });
  return [of(localModel, 0.5, 0, ""), of(model, 1, 0.31 * wave, answer)].map((one, step) => ({ ...one, step }));
}
