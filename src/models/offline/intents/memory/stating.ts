// What people say of themselves and their home without asking for anything is noted; what is true for everybody is offered.
import { completeSentence } from "../../complete-sentence.ts";
import { type Intent, say } from "../../intent.ts";
import { noteFact } from "./noting.ts";
import { readStatement } from "./read-statement.ts";
import { offerWords } from "./remember.ts";

// whoever tells of it to have it mended wants no note of it
const wantsHelp =
  /\b(?:can|could|would) (?:you|i|we)\b|\bhow (?:do|can|should) (?:i|we)\b|\bwhat (?:do|can|should) (?:i|we)\b|\bhelp\b|\bkannst du\b|\?/i;

export const stating: readonly Intent[] = [
  {
    task: "Remembering",
    tools: ["remember"],
    patterns: [/^(?<said>(?!["“'`])\S.{3,300})$/],
    next: ({ said = "" }, done, scene) => {
      if (!scene.tools.has("remember") || scene.isUnattended || wantsHelp.test(said)) return undefined;
      const statement = readStatement(said);
      // it may be the answer to a question of ours
      if (!statement || completeSentence({ text: said, earlier: scene.earlier }) !== undefined) return undefined;
      return statement.isOwn ? noteFact(statement.fact, done, scene) : say(offerWords);
    },
  },
];
