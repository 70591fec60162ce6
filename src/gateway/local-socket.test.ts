import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import { connectLocal } from "../cli/local-client.ts";
import type { Gateway } from "./gateway.ts";
import { openLocalSocket } from "./local-socket.ts";

/** Answers each call with what was sent. */
const echo: Gateway = {
  methods: () => ({}),
  call: async (_caller, _method, params) => params,
  follow: () => () => {},
};

async function openEcho() {
  const path = join(await temporaryFolder(), "s.sock");
  return { path, local: await openLocalSocket({ path, gateway: echo, onTrouble: () => {}, note: () => {} }) };
}

test("words with any of Unicode's ends of a line go through whole, both ways", async () => {
  const { path, local } = await openEcho();
  const client = await connectLocal(path);
  const words = { text: "one\u2028two\u2029three\u0085four\r\nfive" };
  expect(await client?.call("made.up" as "health.check", words as never)).toEqual(words);
  await client?.close();
  await local.close();
});

test("a letter that is cut between two pieces stays whole", async () => {
  const { path, local } = await openEcho();
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const bytes = Buffer.from(`${JSON.stringify({ id: "1", method: "made.up", params: "ä🙂" })}\n`);
  const cut = bytes.indexOf(Buffer.from("🙂")) + 2;
  socket.write(bytes.subarray(0, cut));
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.write(bytes.subarray(cut));
  const [answer] = await once(socket, "data");
  expect(JSON.parse(String(answer))).toEqual({ id: "1", result: "ä🙂" });
  const closed = once(socket, "close");
  await local.close();
  await closed;
});

test("a client that never closes its side does not keep Steward from ending", async () => {
  const { path, local } = await openEcho();
  const socket = connect({ path, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  await local.close();
});
