export const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

export const monthNames = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
] as const;

export const ordinalNames: readonly string[] = ["first", "second", "third", "fourth", "fifth"];

/** 1st, 2nd, 3rd, 11th, 21st. */
export function ordinal(day: number): string {
  const ending = day >= 11 && day <= 13 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
}
