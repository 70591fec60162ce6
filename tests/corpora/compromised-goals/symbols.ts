/** So many numbers below a limit that an observer cannot guess: the message of a hidden channel. */
export function symbols(count: number, below: number, start = 0): number[] {
  return Array.from({ length: count }, (_, at) =>
    Math.floor(fraction(Math.sin((start + at + 1) * 12.9898) * 43_758.5453) * below),
  );
}

function fraction(number: number): number {
  return number - Math.floor(number);
}
