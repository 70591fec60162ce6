import { expect, test } from "vitest";
import { configuredSecrets } from "./configured-secrets.ts";

const none = { environment: {}, storedKeys: {}, settings: {} };

test.each([
  ["a variable whose name says so", { ...none, environment: { DB_PASS: "marmalade" } }, ["marmalade"]],
  [
    "a variable that a provider of models names",
    {
      ...none,
      environment: { BRAIN: "marmalade" },
      settings: { models: { providers: { own: { apiKeyEnv: "BRAIN" } } } },
    },
    ["marmalade"],
  ],
  [
    "a variable that the sandbox takes a header from, with its scheme and without",
    {
      ...none,
      environment: { CI_LINE: "Bearer marmalade" },
      settings: { sandbox: { credentials: { "ci.example.org": { header: "Authorization", valueEnv: "CI_LINE" } } } },
    },
    ["Bearer marmalade", "marmalade"],
  ],
  [
    "the password in a header for basic authentication",
    {
      ...none,
      environment: { CI_LINE: `Basic ${Buffer.from("me:marma:lade").toString("base64")}` },
      settings: { sandbox: { credentials: { "ci.example.org": { header: "Authorization", valueEnv: "CI_LINE" } } } },
    },
    ["marma:lade"],
  ],
  ["a stored key", { ...none, storedKeys: { anthropic: "marmalade" } }, ["marmalade"]],
  [
    "the password in an address, as written and as meant",
    { ...none, environment: { DATABASE_URL: "postgres://me:marma%21lade@db/shop" } },
    ["marma%21lade", "marma!lade"],
  ],
  [
    "the password in an address of the settings",
    { ...none, settings: { models: { providers: { own: { baseUrl: "https://me:marmalade@host/v1" } } } } },
    ["marmalade"],
  ],
])("%s is known", (_, deps, secrets) => {
  expect(configuredSecrets(deps)).toEqual(expect.arrayContaining(secrets));
});

test("folders, names of variables and other settings are not", () => {
  const environment = {
    PWD: "/home/me/project",
    OLDPWD: "/tmp",
    HOME: "/home/me",
    LANG: "de_AT.UTF-8",
    EDITOR: "nano",
  };
  const settings = { agent: { name: "Steward" }, models: { providers: { own: { apiKeyEnv: "NOT_SET" } } } };
  expect(configuredSecrets({ environment, storedKeys: {}, settings })).toEqual([]);
});
