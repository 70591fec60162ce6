// For how long a timer runs, and what for.

const unit = "(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|[hms])";
const amount =
  "(?:\\d{1,4}(?:\\.\\d{1,2})?|an?|half an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety)";
const one = `${amount}(?: and a half)?[ -]?${unit}(?![a-z])(?: and a half)?`;
/** "10 minutes", "an hour and 20 minutes", "1h30m". */
export const timerLength = `${one}(?:(?:,? and |,? ?)${one}){0,2}`;

const lengthFirst = new RegExp(
  `^(?<length>${timerLength})(?:\\s+(?:for|to|called|named)\\s+|[\\s:,]+)(?<purpose>\\S.*)$`,
  "i",
);
const purposeFirst = new RegExp(`^(?<purpose>\\S.*?)\\s+(?:for|in|of)\\s+(?<length>${timerLength})$`, "i");

const wholeLength = new RegExp(`^${timerLength}$`, "i");

/** "10 minutes for pasta", "pasta for 10 minutes", "10 minute pasta". */
export function readTimer(words: string): { length: string; purpose?: string } {
  const found = wholeLength.test(words) ? undefined : (lengthFirst.exec(words) ?? purposeFirst.exec(words))?.groups;
  if (!found) return { length: lengthWords(words) };
  const purpose = (found.purpose ?? "").replace(/^(?:the|my|some)\s+/i, "");
  return { length: lengthWords(found.length ?? ""), purpose };
}

// "a ten-minute timer" is one for ten minutes
function lengthWords(length: string): string {
  return length.replace(
    /\b(\d+(?:\.\d+)?|[a-z]{1,20})([- ])(second|minute|hour)(s?)\b/gi,
    (_, count: string, gap: string, unit: string, plural: string) => {
      if (/^half$/i.test(count) && gap === "-") return `half ${/^hour$/i.test(unit) ? "an" : "a"} ${unit}`;
      if (/^(?:1|one|an?|half)$/i.test(count)) return `${count} ${unit}`;
      return /^(?:\d|[a-z]{3,})/i.test(count) ? `${count} ${unit}s` : `${count} ${unit}${plural}`;
    },
  );
}
