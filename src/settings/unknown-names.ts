// Settings that are well formed and yet name something that there is not: a slip that would only show much later.
import { builtInProviders } from "../contract/model.ts";
import { nearestName } from "../contract/names/nearest-name.ts";
import type { Settings } from "../contract/settings.ts";

/** A sentence for each model whose provider nobody knows. */
export function unknownProviders({ agent, models }: Settings): string[] {
  const known = [...builtInProviders, "offline", ...Object.keys(models.providers)];
  const named: [string, string][] = [
    ...(agent.model === null ? [] : [["agent.model", agent.model] as [string, string]]),
    ...agent.fallbackModels.map((model): [string, string] => ["agent.fallbackModels", model]),
  ];
  return named.flatMap(([key, model]) => {
    const provider = model.split("/", 1)[0] ?? "";
    if (known.includes(provider)) return [];
    const next =
      suggest(provider, known) ?? `the providers are ${known.join(", ")}, and more stand in models.providers`;
    return [`${key} is ${JSON.stringify(model)}, but there is no provider “${provider}”; ${next}`];
  });
}

/** A sentence for each policy of a tool that is not here. */
export function unknownTools({ guard }: Settings, tools: readonly string[]): string[] {
  return Object.keys(guard.tools)
    .filter((name) => !tools.includes(name))
    .map((name) => {
      const next = suggest(name, tools) ?? "it decides nothing as long as that is so";
      return `guard.tools.${name} is about a tool that there is not; ${next}`;
    });
}

function suggest(name: string, known: readonly string[]): string | undefined {
  const meant = nearestName(name, known);
  return meant && `did you mean ${meant}?`;
}
