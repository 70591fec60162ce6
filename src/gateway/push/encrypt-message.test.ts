import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { areBrowserKeys, encryptMessage, maxMessageBytes, newMessageKey } from "./encrypt-message.ts";

const browser = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

test("the example of RFC 8291 comes out byte for byte", () => {
  const encrypted = encryptMessage(
    {
      ...browser,
      ownPrivateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
      salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
    },
    Buffer.from("When I grow up, I want to be a watermelon"),
  );
  expect(encrypted.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("the longest message fills the one record that push services take, and a longer one is refused", () => {
  const keys = { ...browser, ownPrivateKey: newMessageKey(), salt: randomBytes(16) };
  expect(encryptMessage(keys, Buffer.alloc(maxMessageBytes)).length).toBe(4096);
  expect(() => encryptMessage(keys, Buffer.alloc(maxMessageBytes + 1))).toThrow("too long");
});

test("keys that no browser has made are told from those it has", () => {
  const offTheCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString("base64url");
  expect(
    [browser, { ...browser, p256dh: offTheCurve }, { ...browser, auth: "AAAA" }, { ...browser, p256dh: "" }].map(
      areBrowserKeys,
    ),
  ).toEqual([true, false, false, false]);
});
