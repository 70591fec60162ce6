import { expect, test } from "vitest";
import { SearchSettings } from "../../../contract/settings.ts";
import { searchAddressException } from "./search-settings.ts";

const allows = (url: string, address: string, port: number, allowPrivateAddress = true) =>
  searchAddressException(SearchSettings.parse({ provider: "searxng", url, allowPrivateAddress }))?.(address, port);

test("no private address is allowed unless the owner says so", () => {
  expect(allows("http://192.168.1.5:8888", "192.168.1.5", 8888, false)).toBeUndefined();
  expect(searchAddressException(SearchSettings.parse({ allowPrivateAddress: true }))).toBeUndefined();
});

test.each([
  ["http://192.168.1.5:8888", "192.168.1.5", 8888, true],
  ["http://192.168.1.5:8888", "192.168.1.5", 22, false],
  ["http://192.168.1.5:8888", "192.168.1.6", 8888, false],
  ["http://localhost:8888/searx", "127.0.0.1", 8888, true],
  ["http://localhost:8888/searx", "10.0.0.1", 8888, false],
  ["http://[fd00::1]/", "fd00::1", 80, true],
  ["https://search.home.example/", "10.0.0.7", 443, true],
  ["https://search.home.example/", "10.0.0.7", 80, false],
])("with %s, %s at port %d: %s", (url, address, port, expected) => {
  expect(allows(url, address, port)).toBe(expected);
});

test("a setting that is no web address is refused", () => {
  expect(SearchSettings.safeParse({ provider: "searxng", url: "ftp://x.example" }).success).toBe(false);
  expect(SearchSettings.safeParse({ provider: "google" }).success).toBe(false);
});
