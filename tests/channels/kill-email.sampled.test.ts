import { afterAll, beforeAll, test } from "vitest";
import {
  expectAnsweredOnce,
  type Moment,
  momentsOf,
  momentsOfAnAnswer,
  type TalkingPlatform,
} from "../scenes/channels/kill-scene.ts";
import { type MailServer, mailsIn, password, startMailServer } from "../scenes/channels/mail-server.ts";
import { sample } from "../scenes/sample.ts";
import { type ModelProcess, startModelProcess } from "../scenes/steward-process.ts";

let model: ModelProcess;
let server: MailServer;
let people = 0;
beforeAll(async () => {
  model = await startModelProcess();
  server = await startMailServer();
});
afterAll(async () => {
  model.stop();
  await server.close();
});

type Email = ReturnType<typeof openMailboxes>;

/** A place is a thread, called by the mail that began it. */
function openMailboxes() {
  const number = ++people;
  const [address, ann] = [`steward-${number}@example.org`, `ann-${number}@example.net`];
  const begun = new Set<string>();
  let mails = 0;
  return {
    name: "email",
    settings: server.settings({ address, allowedUserIds: [ann], authServer: "mx.example.org" }),
    environment: { EMAIL_PASSWORD: password },
    places: ["<cake@example.net>", "<tea@example.net>"],
    newPlace: "<jam@example.net>",
    say(place: string, words: string) {
      const id = begun.has(place) ? `<${++mails}@example.net>` : place;
      begun.add(place);
      return server.deliver(address, mail({ from: ann, id, ...(id !== place && { root: place }), words }));
    },
    async shown(place: string) {
      const all = await mailsIn(server, ann);
      return all.filter((raw) => /^references:[^:]*/im.exec(raw)?.[0].includes(place)).map(unfold);
    },
  } satisfies TalkingPlatform & Record<string, unknown>;
}

type Written = { from: string; id: string; root?: string; words: string };

function mail({ from, id, root, words }: Written): string {
  return [
    "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net",
    `From: Ann <${from}>`,
    "To: steward@example.org",
    "Subject: The cake",
    `Message-ID: ${id}`,
    ...(root ? [`References: ${root}`, `In-Reply-To: ${root}`] : []),
    "Date: Mon, 16 Nov 2026 10:00:00 +0000",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    words,
  ].join("\r\n");
}

/** Lines that were broken on the way are whole again (quoted-printable). */
function unfold(raw: string): string {
  return raw.replace(/=\r?\n/g, "");
}

function holdAnswer(silent: "before" | "after") {
  return () => {
    const before = server.held();
    server.fail({ at: "end", silent });
    return () => server.held() > before;
  };
}

const moments: readonly Moment<Email>[] = [
  ...momentsOfAnAnswer,
  ...momentsOf(["note reading", "note position"]),
  { name: "before the server takes a mail", hold: holdAnswer("before") },
  { name: "when the server has taken a mail and not said so", hold: holdAnswer("after") },
];

for (const moment of sample(moments, 4)) {
  test(`killed ${moment.name}, every mail is answered once and in order, or the second answer is marked`, async ({
    annotate,
  }) => {
    const count = await expectAnsweredOnce(openMailboxes(), moment, { modelPort: model.port, mayRepeat: true });
    await annotate(JSON.stringify(count));
  });
}
