// Where no line answers the question, the one that comes closest; rather none than one that only shares a name with it.
import { mayAnswer } from "./may-answer.ts";
import type { Piece } from "./pieces.ts";
import type { Question } from "./read-question.ts";
import { isOfHousehold, isVerb, saysSame, wordsIn } from "./same-word.ts";

// many a line speaks of them, each of another thing
const generic: ReadonlySet<string> = new Set(
  `name birthday number phone mobile address email mail size age code colour color weight height price cost best favourite favorite
   house home family people evening morning week end one two good left right extra spare old other little big second`.split(
    /\s+/,
  ),
);
// asked of somebody, a line without it says nothing
const ofPeople =
  /^(?:birthday|address|husband|wife|partner|spouse|boyfriend|girlfriend|phone|number|mobile|name|size|age|mother|father|brother|sister|wedding|anniversary|teacher|password|pin|born|live|lives|work|works|wohnt|geburtstag|adresse)$/;

export function closestPiece(pieces: readonly Piece[], question: Question): Piece | undefined {
  const found = pieces.flatMap((piece, order) => {
    const isOwn = piece.labels.length === 0 && piece.by.kind !== "named";
    const shared = isOwn && mayAnswer(piece, question) ? sharedWith(piece, question) : 0;
    return shared === 0 ? [] : [{ piece, shared, order }];
  });
  const [best] = found.sort(
    (one, other) => other.shared - one.shared || other.piece.score - one.piece.score || one.order - other.order,
  );
  return best?.piece;
}

function sharedWith({ text, context }: Piece, { telling, asked }: Question): number {
  const own = [...wordsIn(text), ...wordsIn(context)];
  const shared = telling.filter((word) => own.some((each) => saysSame(word, each)));
  const missing = telling.filter((word) => !shared.includes(word));
  const named = new Set((asked.match(/(?<=\s)\p{Lu}\p{L}+/gu) ?? []).map((name) => name.toLowerCase()));
  if (missing.some((word) => ofPeople.test(word) || named.has(word))) return 0;
  const isThing = (word: string) => word.length > 2 && !generic.has(word) && !isVerb(word) && !named.has(word);
  return shared.some((word) => isThing(word) || isOfHousehold(word)) ? shared.length : 0;
}
