import { expect, test } from "vitest";
import { guessServers } from "./mail-servers.ts";

test("the servers of a known place are filled in, those of another are guessed", () => {
  expect(guessServers(" Anna@GMX.net ")).toEqual({ imapHost: "imap.gmx.net", smtpHost: "mail.gmx.net" });
  expect(guessServers("a@mail.example.org")).toEqual({
    imapHost: "imap.mail.example.org",
    smtpHost: "smtp.mail.example.org",
  });
});

test("nothing is guessed from half an address", () => {
  expect(["anna", "anna@", "anna@example", "@example.org", "a@b@c.org"].map(guessServers)).toEqual(
    Array(5).fill(undefined),
  );
});
