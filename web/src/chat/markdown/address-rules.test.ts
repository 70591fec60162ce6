import { describe, expect, test } from "vitest";
import { linkAddress, pictureAddress } from "./address-rules.ts";

const sha = "a".repeat(64);

describe("a link", () => {
  test("may lead to web and mail addresses", () => {
    expect(linkAddress("https://example.com/a?b=c#d")).toBe("https://example.com/a?b=c#d");
    expect(linkAddress(" HTTP://EXAMPLE.com ")).toBe("http://example.com/");
    expect(linkAddress("mailto:ada@example.com")).toBe("mailto:ada@example.com");
  });
  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    " javascript:alert(1)",
    "javascript&colon;alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://example.com/1",
    "file:///etc/passwd",
    "ftp://example.com",
    "intent://scan/#Intent;scheme=zxing;end",
    "ms-msdt:/id",
    "tel:123",
    "//evil.example/x",
    "/api/settings",
    "#fragment",
    "settings",
    "https://bank.example@evil.example/",
    "https://user:word@evil.example/",
    "https://",
    "",
  ])("does not lead to %j", (address) => {
    expect(linkAddress(address)).toBeUndefined();
  });
});

describe("a picture", () => {
  test("may come from Steward's own attachments or from the text itself", () => {
    expect(pictureAddress(`/api/attachments/${sha}`)).toBe(`/api/attachments/${sha}`);
    expect(pictureAddress("data:image/png;base64,iVBORw0KGgo=")).toBe("data:image/png;base64,iVBORw0KGgo=");
    expect(pictureAddress("blob:http://localhost/1")).toBe("blob:http://localhost/1");
  });
  test.each([
    "https://evil.example/?secret=1",
    "http://127.0.0.1/x.png",
    "//evil.example/x.png",
    "x.png",
    `/api/attachments/${sha}/../../settings`,
    `/api/attachments/${sha}?to=//evil.example`,
    `https://evil.example/api/attachments/${sha}`,
    `\\\\evil.example\\api\\attachments\\${sha}`,
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:text/html;base64,PHA+",
    "javascript:alert(1)",
    "",
  ])("does not come from %j", (address) => {
    expect(pictureAddress(address)).toBeUndefined();
  });
});
