import { expect, test } from "vitest";
import { isGuessable, isNearby, proposeTopic } from "./topic.ts";

test.each([
  "test",
  "steward",
  "ann-phone",
  "steward-notifications-of-ann",
  "steward-phone-2026",
  "alerts1234567890",
  "1234567890123456",
  "a1b2c3d4e5f6g7h",
  "steward-responsibilities",
])("%s could be guessed", (topic) => {
  expect(isGuessable(topic)).toBe(true);
});

test.each(["steward-kqzvhtwmxbdfqwrr", "steward-k4vq9tw2xb7rhm3z", "k4vq9tw2xb7ahm3e", "9F86D081-884C7D65"])(
  "%s is guessed by nobody",
  (topic) => {
    expect(isGuessable(topic)).toBe(false);
  },
);

test("what is proposed is guessed by nobody, and never the same", () => {
  const topics = Array.from({ length: 200 }, proposeTopic);
  expect(topics.filter(isGuessable)).toEqual([]);
  expect(new Set(topics).size).toBe(200);
});

test.each<[string, boolean]>([
  ["http://localhost:2586", true],
  ["http://127.0.0.1:80/", true],
  ["http://[::1]", true],
  ["http://[fd12::1]", true],
  ["http://192.168.1.4", true],
  ["http://ntfy", true],
  ["http://ntfy.home.arpa", true],
  ["https://ntfy.sh", false],
  ["https://ntfy.example.org", false],
  ["http://192.0.2.1", false],
  ["http://[2001:db8::1]", false],
  ["https://localhost.example.org", false],
])("that %s is reached from its own network only is %s", (url, isSo) => {
  expect(isNearby(url)).toBe(isSo);
});
