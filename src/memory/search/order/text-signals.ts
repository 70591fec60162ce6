// What a text looks like, whatever is asked: the re-ranker weighs these beside what it has in common with the question.

export type TextSignals = {
  length: number;
  hasQuestion: number;
  endsAsking: number;
  speaksOfSelf: number;
  speaksToOther: number;
  tellsTime: number;
  tellsNumber: number;
  names: number;
  picture: number;
  fillers: number;
  reason: number;
  place: number;
  liking: number;
};

const word = /[\p{L}\p{N}]+/gu;
const self = /\b(?:i|my|me|i'm|i've|i'd|i'll|we|our|we're|we've|us|mine)\b/gi;
const other = /\b(?:you|your|you're|you've|yours)\b/gi;
const time =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|recently|weekend|week|month|year|morning|evening|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|since|summer|winter|spring|fall|birthday|anniversary|soon|earlier|20\d\d)\b/i;
const number =
  /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|few|several|first|second|third|once|twice|hundred|thousand)\b/i;
const filler =
  /\b(?:thanks|thank|wow|congrats|congratulations|great|awesome|cool|sounds|glad|amazing|hey|hi|hello|bye|yeah|okay|ok|nice|absolutely|totally|exactly|sorry)\b/gi;
const reason = /\b(?:because|since|so that|reason|why|motivat|inspir|wanted|need)/i;
const place =
  /\b(?:in|at|from|to|near|visit\w*|trip|city|country|park|home|store|restaurant|beach|school|office|went|moved)\b/i;
const liking = /\b(?:love|like|enjoy|favou?rite|prefer|hate|fan|hobby|passion|interested|into)\w*\b/i;
const asking = /\?\s*(?:\[image.*)?$/;
const name = /(?<=[a-z,] )[A-Z][a-z]+/g;

export function readSignals(text: string): TextSignals {
  const words = countOf(word, text) || 1;
  return {
    length: Math.log(1 + words),
    hasQuestion: Number(hasQuestion(text)),
    endsAsking: Number(endsAsking(text)),
    speaksOfSelf: countOf(self, text) / words,
    speaksToOther: countOf(other, text) / words,
    tellsTime: Number(time.test(text)),
    tellsNumber: Number(number.test(text)),
    names: countOf(name, text),
    picture: Number(text.includes("[image: ")),
    fillers: countOf(filler, text) / Math.sqrt(words),
    reason: Number(reason.test(text)),
    place: Number(place.test(text)),
    liking: Number(liking.test(text)),
  };
}

export function hasQuestion(text: string): boolean {
  return text.includes("?");
}

export function endsAsking(text: string): boolean {
  return asking.test(text);
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
