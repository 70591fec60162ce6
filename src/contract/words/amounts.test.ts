import { expect, test } from "vitest";
import { formatAgo, formatBytes, formatDuration, formatTokens, formatUsd } from "./amounts.ts";

const noon = new Date(2026, 5, 17, 12, 0, 0).getTime();
const minute = 60_000;
const hour = 60 * minute;

test.each([
  [0, "just now"],
  [-5000, "just now"],
  [50_000, "1 min ago"],
  [3 * minute, "3 min ago"],
  [59 * minute, "59 min ago"],
  [5 * hour, "5 h ago"],
  [13 * hour, "yesterday"],
  [3 * 24 * hour, "3 days ago"],
])("something %i ms old is from %s", (age, words) => {
  expect(formatAgo(noon - age, noon)).toBe(words);
});

test("an hour after midnight, an evening message is from yesterday even though it is only hours old", () => {
  const oneInTheMorning = new Date(2026, 5, 17, 1, 0, 0).getTime();
  expect(formatAgo(oneInTheMorning - 3 * hour, oneInTheMorning)).toBe("yesterday");
});

test("what is older than a week gets a date, and the year only when it is another one", () => {
  expect(formatAgo(new Date(2026, 3, 2).getTime(), noon)).not.toContain("2026");
  expect(formatAgo(new Date(2024, 3, 2).getTime(), noon)).toContain("2024");
});

test.each([
  [0, "0 ms"],
  [340, "340 ms"],
  [800.4, "800 ms"],
  [1500, "1.5 s"],
  [12_400, "12 s"],
  [59_800, "1 min"],
  [125_000, "2 min 5 s"],
  [3 * hour + 20 * minute, "3 h 20 min"],
  [24 * hour, "1 day"],
  [49 * hour, "2 days"],
])("%i ms take %s", (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test.each([
  [0, "$0.00"],
  [0.00001, "under $0.0001"],
  [0.0031, "$0.0031"],
  [0.05, "$0.05"],
  [0.42, "$0.42"],
  [12.5, "$12.50"],
  [1204.4, "$1,204"],
])("%f dollars read %s", (usd, words) => {
  expect(formatUsd(usd)).toBe(words);
});

test.each([
  [0, "0"],
  [840, "840"],
  [12_345, "12.3k"],
  [128_000, "128k"],
  [999_900, "1M"],
  [1_234_567, "1.2M"],
])("%i tokens read %s", (tokens, words) => {
  expect(formatTokens(tokens)).toBe(words);
});

test.each([
  [1, "1 byte"],
  [999, "999 bytes"],
  [1500, "1.5 KB"],
  [250_000, "250 KB"],
  [3_200_000, "3.2 MB"],
  [5_000_000_000, "5 GB"],
])("%i bytes read %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
