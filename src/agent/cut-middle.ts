/** Keeps the beginning and the end, and says how much is missing between them. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Math.floor(maxLength * 0.7);
  const tail = maxLength - head;
  return `${text.slice(0, head)}\n… [${text.length - maxLength} characters left out] …\n${text.slice(text.length - tail)}`;
}
