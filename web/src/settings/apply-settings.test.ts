import { expect, test } from "vitest";
import { CallFailed, type GatewayLink, type LinkState } from "../gateway/gateway-link.ts";
import { type ApplyLink, applySettings } from "./apply-settings.ts";

/** A link whose connection goes through these states, one every few milliseconds, once Steward was told to apply. */
function linkThat(goesThrough: readonly LinkState[], answer: () => { ok: boolean }): ApplyLink {
  const listeners = new Set<(state: LinkState) => void>();
  let value: LinkState = "open";
  const call = async () => {
    goesThrough.forEach((state, index) => {
      setTimeout(
        () => {
          value = state;
          for (const listener of [...listeners]) listener(state);
        },
        (index + 1) * 5,
      );
    });
    return answer();
  };
  return {
    call: call as unknown as GatewayLink["call"],
    state: {
      get value() {
        return value;
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}

const soon = { forBreakMs: 40, forReturnMs: 60 };
const fine = () => ({ ok: true });

test("applying waits until Steward is back", async () => {
  expect(await applySettings(linkThat(["lost", "connecting", "open"], fine), soon)).toBe(true);
});

test("a connection that breaks before the answer counts as applied when it comes back", async () => {
  const cut = () => {
    throw new CallFailed("lost", "The connection broke.");
  };
  expect(await applySettings(linkThat(["lost", "open"], cut), soon)).toBe(true);
});

test("a Steward that does not come back is said to be gone", async () => {
  expect(await applySettings(linkThat(["lost", "connecting"], fine), soon)).toBe(false);
});

test("a refusal is not mistaken for a restart", async () => {
  const refuse = () => {
    throw new CallFailed("failed", "The settings cannot be read.");
  };
  await expect(applySettings(linkThat([], refuse), soon)).rejects.toThrow("cannot be read");
});
