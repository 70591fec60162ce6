import { expect, test } from "vitest";
import { readFault, sendFailureOf } from "./read-fault.ts";

const address = "https://api.telegram.org/bot123:secret/sendMessage";
const network = (message: string, code?: string) => ({
  error: Object.assign(new Error(message), code ? { code } : {}),
});
const refused = (error_code: number, description: string, parameters = {}) => ({ error_code, description, parameters });

test("a request that found no connection has surely not arrived, any other may have", () => {
  const early = network(`request to ${address} failed, reason: connect ECONNREFUSED 1.2.3.4:443`, "ECONNREFUSED");
  expect(sendFailureOf(early)).toMatchObject({ retry: "again", arrived: "no" });
  expect(sendFailureOf(network(`request to ${address} failed`, "ENOTFOUND"))).toMatchObject({ arrived: "no" });
  expect(sendFailureOf(network("reason: connect ETIMEDOUT 1.2.3.4:443", "ETIMEDOUT"))).toMatchObject({ arrived: "no" });
  expect(sendFailureOf(network("reason: socket hang up", "ECONNRESET"))).toMatchObject({ arrived: "maybe" });
  expect(sendFailureOf(network("Request to 'sendMessage' timed out after 30 seconds"))).toMatchObject({
    arrived: "maybe",
  });
  expect(sendFailureOf(new Error("what is this"))).toMatchObject({ retry: "again", arrived: "maybe" });
});

test("the address of a failed request, which holds the token, is told to nobody", () => {
  for (const fault of [network(`request to ${address} failed`, "ECONNRESET"), network(`${address} timed out`), address])
    expect(JSON.stringify(readFault(fault))).not.toContain("secret");
});

test("what Telegram refuses for good is not tried again", () => {
  expect(sendFailureOf(refused(403, "Forbidden: bot was kicked"))).toMatchObject({ retry: "never", arrived: "no" });
  expect(sendFailureOf(refused(400, "Bad Request: chat not found"))).toMatchObject({ retry: "never", arrived: "no" });
  expect(sendFailureOf(refused(401, "Unauthorized"))).toMatchObject({ retry: "again", arrived: "no" });
  expect(sendFailureOf(refused(500, "Internal Server Error"))).toMatchObject({ retry: "again", arrived: "maybe" });
  expect(sendFailureOf(refused(429, "Too Many Requests", { retry_after: 4 }))).toMatchObject({
    retry: "again",
    arrived: "no",
    retryAfterMs: 4_000,
  });
});
