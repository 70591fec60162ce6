import { type Intent, type Scene, say } from "../intent.ts";
import { bullets } from "../wording.ts";

const ways = `To connect a language model, do one of these:
1. On the web page, choose Settings and then “Set up a model”; it tries the model before it is used.
2. Set ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment and start me again.
3. Run Ollama on this machine with any model; I find it by myself at the next start.
4. Name another server under models.providers in config.json (docs/settings.md shows how).`;

const shortWays =
  "To connect one: the page Setup (`npx steward open`), OPENAI_API_KEY or ANTHROPIC_API_KEY in the environment, or Ollama.";
const needsModel = "That needs a language model. No language model is connected.";

/** What stands in an answer of these rules and tells nothing. */
export function isOwnWording(line: string, { examples }: Pick<Scene, "examples">): boolean {
  return (
    examples.includes(line) ||
    ownWording.has(line) ||
    /^(?:I am the built-in|That needs a language|What works now: )/.test(line)
  );
}

/** The answer to everything that the rules do not understand. */
export function sayNotUnderstood(scene: Scene): string {
  if (scene.silentModels.length > 0)
    return `${scene.silentModels.join(" and ")} did not answer. Your message is kept; ask again when the model is back. Without it I follow simple sentences only; “help” lists them.`;
  const canRemember = scene.tools.has("remember") || scene.tools.has("edit");
  const works = canRemember
    ? "“remember that the bins go out on Tuesday”, “what do you know about the bins?”"
    : "“what is 15% of 80?”";
  return [needsModel, `What works now: ${works}. Say “help” for more.`, shortWays].join("\n");
}

const ownWording: ReadonlySet<string> = new Set(
  [...ways.split("\n").map((line) => line.replace(/^\d\. /, "")), shortWays].concat("What I can do now, for example:"),
);

function describeSelf(scene: Scene): string {
  if (scene.silentModels.length === 0)
    return "I am the built-in offline model, a set of plain rules. No language model is connected.";
  return `${scene.silentModels.join(" and ")} did not answer, so the built-in offline model, a set of plain rules, stands in.`;
}

function describeAbilities(scene: Scene): string {
  return `What I can do now, for example:\n${bullets(scene.examples)}`;
}

function describeWays(scene: Scene): string {
  return scene.silentModels.length === 0 ? ways : "Your message is kept; ask again when the model is back.";
}

function talk(patterns: readonly RegExp[], answer: (scene: Scene) => string): Intent {
  return { task: "Talking", tools: [], patterns, next: (_words, _done, scene) => say(answer(scene)) };
}

export const smallTalk: readonly Intent[] = [
  talk(
    [/^(?:hello|hi|hey|hallo|good (?:morning|afternoon|evening|day)|greetings)(?: there| you| again)?[\s.!,:)]*$/i],
    () => "Hello! I am here. Say “help” to see what I can do without a language model.",
  ),
  talk(
    [/^(?:(?:many |ok |okay,? )?thanks|thank you|thx|ta|cheers)(?: a lot| so much| very much| again)?[\s.!:)]*$/i],
    () => "You are welcome.",
  ),
  talk([/^(?:(?:good)?bye|good night|see you(?: later| soon| tomorrow)?|ciao)[\s.!:)]*$/i], () => "Until next time."),
  talk(
    [/^(?:never ?mind|forget it|stop(?: it| that)?|cancel|nothing|no|nope|ok|okay)[\s.!]*$/i],
    () => "All right. I am not doing anything.",
  ),
  talk([/^how are you(?: doing)?(?: today)?[\s.?!]*$/i], (scene) => `I am running well. ${describeSelf(scene)}`),
  {
    example: "help",
    ...talk(
      [
        /^(?:help|commands|\?)[\s.?!]*$/i,
        /^(?:can you )?help me[\s.?!]*$/i,
        /^what (?:can|could) (?:you|i) (?:do|say|ask)(?: for me| now| here| you)*[\s.?!]*$/i,
        /^what do you (?:do|understand)[\s.?!]*$/i,
      ],
      (scene) => [describeSelf(scene), describeAbilities(scene), describeWays(scene)].join("\n\n"),
    ),
  },
  talk(
    [
      /^(?:who|what) are you[\s.?!]*$/i,
      /^(?:what|which) (?:language )?model (?:are you|is this|do you use|are you using)[\s.?!]*$/i,
      /^are you (?:an? )?(?:ai|llm|bot|robot|language model|real)[\s.?!]*$/i,
      /^how (?:do|can) i (?:connect|add|set up|use|configure) (?:a |an |the |another )?(?:real |language )*(?:model|llm|api key|ai)[\s.?!]*$/i,
    ],
    (scene) => `${describeSelf(scene)}\n\n${describeWays(scene)}`,
  ),
];
