import { expect, test } from "vitest";
import { agoWords, byteWords, dollarWords, durationWords, tokenWords } from "./amounts.ts";

test("durations", () => {
  expect([120, 949, 951, 59_400, 61_000, 3_700_000, 400_000_000].map(durationWords)).toEqual([
    "0.1 s",
    "0.9 s",
    "1 s",
    "59 s",
    "1 min 1 s",
    "1 h 1 min",
    "4 days",
  ]);
});
test("times gone by", () => {
  expect([1000, 90_000, 7_200_000, 999_999_999].map((ms) => agoWords(0, ms))).toEqual([
    "just now",
    "2 min ago",
    "2 h ago",
    "12 days ago",
  ]);
});
test("tokens, dollars and bytes", () => {
  expect([999, 1500, 99_949, 99_950, 999_499, 999_500].map(tokenWords)).toEqual([
    "999",
    "1.5k",
    "99.9k",
    "100k",
    "999k",
    "1.0M",
  ]);
  expect([0, 0.0012, 0.5, 12.345].map(dollarWords)).toEqual(["$0", "$0.0012", "$0.5000", "$12.35"]);
  expect([10, 2048, 3_500_000].map(byteWords)).toEqual(["10 B", "2 KB", "3.3 MB"]);
});
