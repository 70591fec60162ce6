import { expect, test } from "vitest";
import { openCommandOutput } from "../command-output.ts";
import { followRecord } from "./follow-record.ts";

const megabyte = 1024 ** 2;

/** What a box has printed before anybody looks. */
function printed(bytes: number) {
  return {
    read: (into: Buffer, position: number) => Math.max(0, Math.min(into.length, bytes - position)),
    printedBytes: () => bytes,
    isFull: () => false,
  };
}

test("one look takes a megabyte at most, and the end takes all of it", async () => {
  const output = openCommandOutput(64 * megabyte);
  const looks: number[] = [];
  const followed = followRecord(printed(10 * megabyte), output, () => looks.push(output.bytesSeen()));
  await expect.poll(() => looks.length).toBe(1);
  await followed.finish();
  expect([looks[0], output.bytesSeen()]).toEqual([megabyte, 10 * megabyte]);
});

test("while much waits to be given on, nothing more is read", async () => {
  const output = openCommandOutput(64 * megabyte);
  let waiting = 2 * megabyte;
  const followed = followRecord(printed(megabyte), { ...output, bytesWaiting: () => waiting }, () => {});
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(output.bytesSeen()).toBe(0);
  waiting = 0;
  await followed.finish();
  expect(output.bytesSeen()).toBe(megabyte);
});

test("whoever prints far more than is read is heard of at once", async () => {
  const heard: number[] = [];
  const output = openCommandOutput(64 * megabyte);
  const followed = followRecord(printed(40 * megabyte), output, (bytes) => heard.push(bytes));
  await expect.poll(() => heard[0]).toBe(40 * megabyte);
  await followed.finish();
});

test.each(["read", "isFull"] as const)("a disk that fails at %s is told of and ends nothing", async (failing) => {
  const fails = () => {
    throw new Error("EIO: i/o error");
  };
  const followed = followRecord({ ...printed(100), [failing]: fails }, openCommandOutput(1_000), () => {});
  await new Promise((resolve) => setTimeout(resolve, 60));
  await followed.finish();
  expect(followed.sawDiskFull()).toBe(true);
});
