// Time words as they are misspelt, and words that only look like them; said on Monday 16 November 2026 at 11:00 in Berlin.

/** Understood all the same. */
export const understoodSlips: readonly [sentence: string, meant: string, rest: string][] = [
  ["tommorow at 9 to email sue", "2026-11-17T08:00Z", "email sue"],
  ["Tommorow at 9 to email sue", "2026-11-17T08:00Z", "email sue"],
  ["tomorow at 9 to email sue", "2026-11-17T08:00Z", "email sue"],
  ["at 9 tommorrow to email sue", "2026-11-17T08:00Z", "email sue"],
  ["email sue tmrw", "2026-11-17T08:00Z", "email sue"],
  ["email sue tmr at 10am", "2026-11-17T09:00Z", "email sue"],
  ["email sue on wednessday at 9", "2026-11-18T08:00Z", "email sue"],
  ["email sue on wensday at 9", "2026-11-18T08:00Z", "email sue"],
  ["email sue weds at 9", "2026-11-18T08:00Z", "email sue"],
  ["email sue on thurday at 9", "2026-11-19T08:00Z", "email sue"],
  ["email sue on thursady at 9", "2026-11-19T08:00Z", "email sue"],
  ["email sue tues at 9", "2026-11-17T08:00Z", "email sue"],
  ["email sue every saterday at 9", "0 9 * * 6", "email sue"],
  ["3 febuary at 9 to email sue", "2027-02-03T08:00Z", "email sue"],
  ["evry day at 9 to email sue", "0 9 * * *", "email sue"],
  ["everyday at 9 to email sue", "0 9 * * *", "email sue"],
  ["in 20 mintues to email sue", "2026-11-16T10:20Z", "email sue"],
  ["email sue tonite", "2026-11-16T20:00Z", "email sue"],
];

/** Asked about, with the word that was probably meant. */
export const askedSlips: readonly [sentence: string, meant: string][] = [
  ["tomorrov at 9 to email sue", "tomorrow"],
  ["email sue at 9 on thurzday", "Thursday"],
  ["email sue at 9 next fridey", "Friday"],
  ["every mondai at 9 email sue", "Monday"],
  ["3 Decmbr at 14:30 dentist", "December"],
  ["every dya at 9 to email sue", "day"],
  ["every 2 wekes at 9 to email sue", "weeks"],
  ["email sue fridaj", "Friday"],
];

/** Nothing is wrong with these. */
export const ordinaryWords: readonly [sentence: string, rest: string][] = [
  ["at 9 to email sue", "email sue"],
  ["at 9 to call May", "call May"],
  ["call May at 9", "call May"],
  ["see Mark at 9", "see Mark"],
  ["call Sunny at 9", "call Sunny"],
  ["meet Frida at 9", "meet Frida"],
  ["march to the shop at 9", "march to the shop"],
  ["at 9 march to the shop", "march to the shop"],
  ["eat a sundae at 9", "eat a sundae"],
  ["feed every dog at 9", "feed every dog"],
  ["greet each dad at 9", "greet each dad"],
  ["play the four tunes at 9", "play the four tunes"],
  ["stop the moaning at 9", "stop the moaning"],
  ["wear the everyday shoes at 9", "wear the everyday shoes"],
  ["pick up our minuet scores at 9", "pick up our minuet scores"],
  ["look at a monkey at 9", "look at a monkey"],
  ["open https://example.org/tommorow at 9", "open https://example.org/tommorow"],
];
