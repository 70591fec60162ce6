import { expect, test } from "vitest";
import { Settings } from "../contract/settings.ts";
import { unknownProviders, unknownTools } from "./unknown-names.ts";

test("a model of a provider that nobody knows is told with the one that was meant", () => {
  const settings = Settings.parse({
    agent: { model: "antropic/claude", fallbackModels: ["house/llama", "zzz/x", "offline/rules", "ollama/qwen3"] },
    models: { providers: { house: { kind: "openai-compatible" } } },
  });
  expect(unknownProviders(settings)).toEqual([
    'agent.model is "antropic/claude", but there is no provider “antropic”; did you mean anthropic?',
    'agent.fallbackModels is "zzz/x", but there is no provider “zzz”; the providers are anthropic, openai, openrouter, ollama, lmstudio, llamacpp, offline, house, and more stand in models.providers',
  ]);
});

test("a policy of a tool that there is not is told with the one that was meant", () => {
  const settings = Settings.parse({ guard: { tools: { bsh: "deny", read: "ask", browser_click: "deny" } } });
  expect(unknownTools(settings, ["bash", "read"])).toEqual([
    "guard.tools.bsh is about a tool that there is not; did you mean bash?",
    "guard.tools.browser_click is about a tool that there is not; it decides nothing as long as that is so",
  ]);
});
