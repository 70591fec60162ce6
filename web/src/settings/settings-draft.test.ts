import { expect, test } from "vitest";
import { listSettings, type SettingsAnswer, searchSettings } from "./list-settings.ts";
import { type Draft, isInUse, listChanges, problemsOf, rebase, toSave, withEdit } from "./settings-draft.ts";

const answer: SettingsAnswer = {
  path: "config.json",
  revision: "1",
  values: { agent: { name: "Steward", maxSteps: 50 }, budgets: { perDayUsd: 5 } },
  schema: {
    type: "object",
    properties: {
      agent: {
        type: "object",
        description: "The assistant.",
        properties: {
          name: { type: "string", default: "Steward", minLength: 1, description: "What it is called." },
          maxSteps: { type: "integer", default: 50, maximum: 1000, exclusiveMinimum: 0 },
          fallbackModels: { type: "array", default: [], items: { type: "string" } },
        },
      },
      budgets: {
        type: "object",
        properties: { perDayUsd: { anyOf: [{ type: "number" }, { type: "null" }], default: null } },
      },
    },
  },
  overridden: { "agent.name": "STEWARD_AGENT_NAME" },
  pending: ["budgets.perDayUsd"],
};
const settings = listSettings(answer).flatMap((section) => section.settings);
const setting = (key: string) => {
  const found = settings.find((one) => one.key === key);
  if (!found) throw new Error(`no setting ${key}`);
  return found;
};
const edited = (...edits: [string, unknown][]): Draft =>
  edits.reduce<Draft>((draft, [key, value]) => withEdit(draft, setting(key), value), new Map());

test("sections hold their settings with the saved value, or the default where none is saved", () => {
  expect(settings.map((one) => [one.key, one.value])).toEqual([
    ["agent.name", "Steward"],
    ["agent.maxSteps", 50],
    ["agent.fallbackModels", []],
    ["budgets.perDayUsd", 5],
  ]);
});

test("a setting says which variable decides it and whether it waits to be applied", () => {
  expect(setting("agent.name").decidedBy).toBe("STEWARD_AGENT_NAME");
  expect(settings.filter((one) => one.isPending).map((one) => one.key)).toEqual(["budgets.perDayUsd"]);
});

test("typing a value back to what is saved is no change", () => {
  const draft = withEdit(edited(["agent.maxSteps", 60]), setting("agent.maxSteps"), 50);
  expect(listChanges(draft, settings)).toEqual([]);
});

test("changes are told as before and after", () => {
  expect(listChanges(edited(["budgets.perDayUsd", null]), settings)).toEqual([
    { key: "budgets.perDayUsd", label: "Per day (US dollars)", before: "5", after: "nothing" },
  ]);
});

test("changes of a list or a record are told by what was added, removed or changed", () => {
  expect(listChanges(edited(["agent.fallbackModels", ["a/m", "b/n"]]), settings)).toMatchObject([
    { label: "Fallback models", words: "added a/m, b/n" },
  ]);
  const rules = { ...setting("agent.fallbackModels"), key: "guard.tools", value: { bash: "ask", read: "allow" } };
  expect(listChanges(new Map([["guard.tools", { bash: "deny", write: "ask" }]]), [rules])).toMatchObject([
    { words: "added write; removed read; changed bash" },
  ]);
});

test("a default that was taken back leaves the file; a null that means something is saved", () => {
  const later = { ...answer, values: { agent: { maxSteps: 7 }, budgets: { perDayUsd: 5 } } };
  const now = listSettings(later).flatMap((section) => section.settings);
  const draft = new Map<string, unknown>([
    ["agent.maxSteps", 50],
    ["budgets.perDayUsd", null],
  ]);
  expect(toSave(draft, now)).toEqual([
    { key: "agent.maxSteps", value: null },
    { key: "budgets.perDayUsd", value: null },
  ]);
  expect(toSave(edited(["agent.maxSteps", 51]), settings)).toEqual([{ key: "agent.maxSteps", value: 51 }]);
});

test("after somebody else saved, only what still differs waits to be saved", () => {
  const draft = edited(["agent.maxSteps", 60], ["budgets.perDayUsd", 9]);
  const theirs = { ...answer, values: { agent: { maxSteps: 60 }, budgets: { perDayUsd: 4 } } };
  expect([
    ...rebase(
      draft,
      listSettings(theirs).flatMap((section) => section.settings),
    ),
  ]).toEqual([["budgets.perDayUsd", 9]]);
});

test("the gateway's problem stands beside its field until the value is mended", () => {
  const told = [{ key: "agent.fallbackModels.0", message: "no such provider" }];
  const draft = edited(["agent.fallbackModels", ["x"]]);
  expect(problemsOf(draft, setting("agent.fallbackModels"), told)).toEqual([
    { path: "0", message: "no such provider" },
  ]);
  expect(problemsOf(edited(["agent.maxSteps", 0]), setting("agent.maxSteps"), [])[0]?.message).toMatch(
    "from 1 to 1000",
  );
});

test("search finds settings by name, key and description", () => {
  const found = (query: string) =>
    searchSettings(listSettings(answer), query).flatMap((one) => one.settings.map((each) => each.key));
  expect(found("called")).toEqual(["agent.name"]);
  expect(found("per day")).toEqual(["budgets.perDayUsd"]);
  expect(found("dragon")).toEqual([]);
});

test("what belongs to an option that is not chosen is not shown, unless it was changed", () => {
  const choice = { enum: ["builtin", "server", "file"], type: "string", default: "builtin" };
  const properties = {
    provider: choice,
    model: { type: "string", default: "", description: "Of server: the model." },
    place: {
      type: "object",
      properties: { path: { type: "string", default: "" } },
      description: "Of server and file: it.",
    },
    size: { type: "integer", default: 1, description: "Of these, how many." },
  };
  const schema = { type: "object", properties: { memory: { type: "object", properties } } };
  const all = listSettings({ ...answer, values: {}, schema }).flatMap((section) => section.settings);
  const shown = (draft: Draft) => all.filter((one) => isInUse(draft, one, all)).map(({ key }) => key.slice(7));
  expect(shown(new Map())).toEqual(["provider", "size"]);
  expect(shown(new Map([["memory.provider", "file"]]))).toEqual(["provider", "place.path", "size"]);
  expect(shown(new Map([["memory.model", "mine"]]))).toEqual(["provider", "model", "size"]);
});
