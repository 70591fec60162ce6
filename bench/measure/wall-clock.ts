/** The time of day with its fractions, comparable between processes and with what events say of themselves. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}
