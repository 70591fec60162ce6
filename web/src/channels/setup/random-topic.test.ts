import { expect, test } from "vitest";
import { randomTopic, topicAddress } from "./random-topic.ts";

test("a proposed topic is what ntfy takes, and another one each time", () => {
  const topics = Array.from({ length: 20 }, () => randomTopic((bytes) => crypto.getRandomValues(bytes)));
  expect(topics.filter((topic) => !/^steward-[a-z0-9]{16}$/.test(topic))).toEqual([]);
  expect(new Set(topics).size).toBe(20);
});

test("bytes that would favour some letters are not used", () => {
  let asked = 0;
  const topic = randomTopic((bytes) => bytes.fill(asked++ === 0 ? 255 : 0));
  expect([topic, asked]).toEqual(["steward-bbbbbbbbbbbbbbbb", 2]);
});

test("the address of a topic is on its own server, and nothing else becomes a link", () => {
  expect(topicAddress("https://ntfy.sh/", "owl")).toBe("https://ntfy.sh/owl");
  expect(topicAddress("https://ntfy.example.org/push", "a_b")).toBe("https://ntfy.example.org/push/a_b");
  expect(["javascript:alert(1)", "ntfy.sh", ""].map((server) => topicAddress(server, "owl"))).toEqual(
    Array(3).fill(undefined),
  );
});
