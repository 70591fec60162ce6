import { expect, test } from "vitest";
import { watchFetch } from "./watch-fetch.ts";

test("of a complaint that does not end the beginning is read, and the server is told to stop", async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("no ".repeat(10_000))),
    cancel() {
      isCancelled = true;
    },
  });
  const fetch = async () => new Response(endless, { status: 400, headers: { "retry-after": "7" } });
  const response = await watchFetch(fetch, { heard: () => {}, mendsChat: false })("http://model.example/");
  expect([response.status, response.headers.get("retry-after")]).toEqual([400, "7"]);
  expect((await response.text()).length).toBe(64 * 1024);
  expect(isCancelled).toBe(true);
});
