import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../tests/scenes/eventually.ts";
import { fetchedBytes, TooLarge } from "./fetched-bytes.ts";

async function addressOf(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a file is read whole", async () => {
  const address = await addressOf(createServer((_request, response) => response.end("x".repeat(300_000))));
  expect((await fetchedBytes(await fetch(address))).byteLength).toBe(300_000);
});

test("a file that never ends is let go", async () => {
  let isLetGo = false;
  const address = await addressOf(
    createServer((_request, response) => {
      const more = () => {
        while (!isLetGo && response.write(Buffer.alloc(1 << 20)));
      };
      response.on("drain", more);
      response.on("close", () => {
        isLetGo = true;
      });
      more();
    }),
  );
  await expect(fetchedBytes(await fetch(address))).rejects.toThrow(TooLarge);
  await eventually(() => isLetGo);
});
