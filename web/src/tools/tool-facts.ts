import type { ToolPolicy, ToolSummary } from "../../../src/contract/wire/methods/tools.ts";

type Effect = ToolSummary["effects"][number];
export type EffectWords = { name: string; tone: "" | "accent" | "warning" | "danger"; means: string };

/** An effect as a chip and as a sentence; a tool that is told a path works on files. */
export function effectWords(effect: Effect, tool: ToolSummary): EffectWords {
  const things = takes(tool, "path") || takes(tool, "command") ? "files" : "something";
  switch (effect) {
    case "reads":
      return { name: "Reads", tone: "", means: "It looks at things." };
    case "changes":
      return { name: `Changes ${things}`, tone: "accent", means: `It can change ${things}.` };
    case "destroys":
      return { name: "Can destroy", tone: "danger", means: `It can delete or overwrite ${things}.` };
    case "sends":
      return { name: "Sends out", tone: "warning", means: "What it is told leaves this machine." };
    case "costs":
      return { name: "Costs money", tone: "warning", means: "Each use may cost money." };
    case "plans":
      return {
        name: "Plans",
        tone: "accent",
        means: "It has Steward do something later, which is then judged by itself.",
      };
    default:
      return effect satisfies never;
  }
}

/** What happens to a call that a crash cut off. */
export const repeatWords: Readonly<Record<ToolSummary["class"], string>> = {
  read: "Looking twice does no harm, so after a crash it simply runs again.",
  idempotent: "Doing it twice is the same as doing it once, so after a crash it runs again.",
  unsafe: "It is never repeated by itself: if a crash leaves open whether it was done, you are told so.",
};

export const policyNames: Readonly<Record<ToolPolicy, string>> = {
  usual: "As usual",
  ask: "Always ask",
  deny: "Never",
  allow: "Run without asking",
};

export const policyMeanings: Readonly<Record<ToolPolicy, string>> = {
  usual: "The general permission setting decides.",
  ask: "Every single use waits for your yes.",
  deny: "It never runs, whoever asks.",
  allow: "It runs without a question, unless another safety rule objects.",
};

/** What is at stake when a tool runs unasked; nothing for one that only looks. */
export function allowWarning(tool: ToolSummary): string | undefined {
  const risks = [
    ...(tool.effects.includes("destroys") ? ["delete things for good"] : []),
    ...(tool.effects.includes("sends") ? ["send your words to others"] : []),
    ...(tool.effects.includes("costs") ? ["spend money"] : []),
    ...(tool.effects.includes("changes") && !tool.effects.includes("destroys") ? ["change your files"] : []),
  ];
  if (risks.length === 0) return undefined;
  return `Steward will then be able to ${risks.join(" and ")} without a question, also when a text it has read talked it into that.`;
}

export function searchTools(tools: readonly ToolSummary[], query: string): ToolSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter((tool) => {
    const effects = tool.effects.map((effect) => effectWords(effect, tool).name).join(" ");
    const text = `${tool.name} ${tool.name.replaceAll("_", " ")} ${tool.description} ${effects}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function takes(tool: ToolSummary, argument: string): boolean {
  const properties = tool.schema.properties;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, argument);
}
