// The channel ntfy against the server that phones really use, software that nobody here wrote.
import { expect, test } from "vitest";
import { ntfyChannel } from "../../src/channels/ntfy/ntfy-channel.ts";
import type { OutgoingMessage } from "../../src/contract/channel/outgoing-message.ts";
import { type ChannelSceneOptions, openChannelScene } from "../scenes/channels/channel-scene.ts";
import { startRealNtfy } from "../scenes/channels/real-ntfy.ts";
import { eventually } from "../scenes/eventually.ts";

const topic = "ann-phone";
const question: OutgoingMessage = {
  ...{ key: `1.0.${Date.now()}`, piece: { markup: "May I run **make** — jä?", plain: "May I run make?" } },
  buttons: [
    [
      { label: "Approve", press: "yes:a1", tone: "yes" },
      { label: "Deny", press: "no:a1", tone: "no" },
    ],
  ],
  details: {},
  isUrgent: true,
};

type Shown = { id: string; message: string; attachment?: unknown; actions?: readonly Action[] };
type Action = { url: string; method?: string; body?: string; headers?: Record<string, string> };
type Server = Awaited<ReturnType<typeof startRealNtfy>>;

async function stewardAt({ url, token }: Server, options: ChannelSceneOptions = {}) {
  const secrets = { ...(token && { NTFY_TOKEN: token, NTFY_PRESS_TOKEN: token }) };
  const scene = await openChannelScene(ntfyChannel, { ...options, secrets, settings: { url, topic } });
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
  const send = (message: OutgoingMessage) => scene.channel.send({ chat: topic }, message, scene.signal);
  const presses = () => scene.taken.flatMap((update) => (update.kind === "press" ? [update.press] : []));
  return { ...scene, send, presses };
}

/** What the phone shows, as the app asks for it. */
async function shownBy({ url, token }: Server): Promise<readonly Shown[]> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined;
  const text = await (await fetch(`${url}/${topic}/json?poll=1&since=all`, { ...(headers && { headers }) })).text();
  return text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Shown);
}

/** A thumb: the app posts what the button says, where it says. */
async function press(shown: Shown | undefined, at: number, body?: string): Promise<number> {
  const { url, method = "POST", headers = {}, ...action } = shown?.actions?.[at] ?? expect.unreachable("no button");
  return (await fetch(url, { method, headers, body: body ?? action.body ?? "" })).status;
}

test("what is pressed on the phone comes back, once, and what nobody has offered does not", async () => {
  const server = await startRealNtfy();
  const { send, presses } = await stewardAt(server);
  await send(question);
  const [shown] = await shownBy(server);
  expect(shown?.message).toContain("jä?");
  expect(await press(shown, 0, "forged.eWVzOmEx")).toBe(200);
  expect(await press(shown, 0)).toBe(200);
  await eventually(presses, ["yes:a1"]);
});

test("what is pressed while Steward is away is taken at the next start", async () => {
  const server = await startRealNtfy();
  const first = await stewardAt(server);
  await first.send(question);
  await first.channel.close();
  const [shown] = await shownBy(server);
  expect(await press(shown, 1)).toBe(200);
  const second = await stewardAt(server, { remembered: first.remembered });
  await eventually(second.presses, ["no:a1"]);
});

test("the longest text stays a text, and what was sent is found again by its key", async () => {
  const server = await startRealNtfy();
  const { send, channel, signal } = await stewardAt(server);
  const [piece] = channel.render(`${'"\n'.repeat(1_000)}ü${"x".repeat(3_000)}`);
  await send({ ...question, piece });
  const [shown] = await shownBy(server);
  expect(shown?.attachment).toBeUndefined();
  expect(await channel.find?.({ chat: topic }, question.key, signal)).toMatchObject({ ref: expect.any(String) });
  expect(await channel.find?.({ chat: topic }, `2.0.${Date.now()}`, signal)).toBeUndefined();
});

test("on a server that lets nobody in without a token Steward and the buttons bring theirs", async () => {
  const server = await startRealNtfy({ isClosed: true });
  const { send, presses } = await stewardAt(server);
  await send(question);
  const [shown] = await shownBy(server);
  expect(await press(shown, 0)).toBe(200);
  await eventually(presses, ["yes:a1"]);
});
