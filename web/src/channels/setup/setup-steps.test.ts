import { expect, test } from "vitest";
import { shownChannel } from "../../../../tests/scenes/page/shown-channel.ts";
import { isSetUp, nextStep, setupSteps } from "./setup-steps.ts";

const found = [{ name: "TELEGRAM_BOT_TOKEN", found: true }];
const anna = { id: "7", name: "Anna", from: "paired" } as const;
const next = (more: Parameters<typeof shownChannel>[0], values = {}, hasTested = false) =>
  nextStep(setupSteps(shownChannel(more), values, hasTested));

test("a bot is made, gets its token, is switched on, paired and tried, in this order", () => {
  expect(next({})).toBe("make");
  expect(next({ secrets: found })).toBe("on");
  expect(next({ secrets: found, state: "connecting" })).toBe("pair");
  expect(next({ secrets: found, state: "connected", people: [anna] })).toBe("test");
  expect(next({ secrets: found, state: "connected", people: [anna] }, {}, true)).toBeUndefined();
});

test("a token that is not taken is asked for again", () => {
  expect(next({ secrets: found, state: "refused", people: [anna] })).toBe("secrets");
});

test("a mailbox may stay one that answers nobody, but is asked about it once", () => {
  const email = { name: "email", secrets: [{ name: "EMAIL_PASSWORD", found: true }] } as const;
  const values = { address: "me@example.org", imapHost: "imap.example.org", smtpHost: "smtp.example.org" };
  expect(next({ ...email, secrets: [...email.secrets] }, { address: "me@example.org" })).toBe("settings");
  expect(next({ ...email, secrets: [...email.secrets] }, values)).toBe("answer");
  expect(next({ ...email, secrets: [...email.secrets], state: "connected" }, values)).toBe("test");
});

test("push messages need a topic and nothing from anybody else", () => {
  const ntfy = { name: "ntfy", secrets: [], receives: false } as const;
  expect(next({ ...ntfy, secrets: [] })).toBe("settings");
  expect(next({ ...ntfy, secrets: [] }, { topic: "quiet-owl" })).toBe("follow");
  expect(next({ ...ntfy, secrets: [], state: "connected" }, { topic: "quiet-owl" })).toBe("test");
});

test("a channel is set up when messages come and go, whether or not it was tried", () => {
  const steps = setupSteps(shownChannel({ secrets: found, state: "lost", people: [anna] }), {}, false);
  expect(isSetUp(steps)).toBe(true);
  expect(isSetUp(setupSteps(shownChannel({ secrets: found, state: "lost" }), {}, false))).toBe(false);
});
