import { type Intent, say } from "../intent.ts";
import { calculate } from "./calculate.ts";

export const arithmetic: readonly Intent[] = [
  {
    task: "Calculating",
    tools: [],
    example: "what is 15% of 80?",
    patterns: [
      /^(?:what(?:'s|’s| is| are)|how much (?:is|are)|calculate|compute|work out)\s+(?<sum>.{1,200}?)[\s=?!.]*$/i,
      // a date or a phone number is no sum
      /^(?!\d{1,4}-\d{1,4}(?:-\d{1,4})?$)(?<sum>[-\d(.][\d\s.,()+*/%^×÷−x-]{0,200}?)[\s=?]*$/i,
    ],
    next: (words) => {
      const result = calculate(words.sum ?? "");
      if (!result) return undefined;
      return say("problem" in result ? result.problem : `That is ${format(result.value)}.`);
    },
  },
];

function format(value: number): string {
  const isPlain = value === 0 || (Math.abs(value) >= 1e-6 && Math.abs(value) < 1e15);
  return isPlain ? value.toLocaleString("en", { maximumFractionDigits: 12 }) : String(value);
}
