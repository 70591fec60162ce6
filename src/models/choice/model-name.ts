export type ModelName = { provider: string; model: string };

/** `openrouter/anthropic/claude` → provider `openrouter`, model `anthropic/claude`. */
export function splitModelName(name: string): ModelName | undefined {
  const slash = name.indexOf("/");
  if (slash <= 0 || slash === name.length - 1) return undefined;
  return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}

/** What the tables of prices and limits are asked for: no vendor, no dots, as every provider writes the same model differently. */
export function plainModelId(model: string): string {
  return (model.split("/").at(-1) ?? model).toLowerCase().replaceAll(".", "-");
}
