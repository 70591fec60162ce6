import { expect, test } from "vitest";
import { hostLabel } from "./load-page.ts";

test("a label names the host, and its port where it is not the usual one", () => {
  expect(hostLabel("https://Example.org/a")).toBe("web:example.org");
  expect(hostLabel("http://example.org:8080/")).toBe("web:example.org:8080");
  expect(hostLabel("nonsense")).toBeUndefined();
});
