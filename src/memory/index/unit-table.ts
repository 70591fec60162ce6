// What the search needs of every unit at once, in columns of numbers: a few dozen bytes a unit. The number of a unit is its row in
// the index file; the number of one that was removed is given again.

/** A unit that is not there, as before the first and after the last of a session. */
export const none = -1;

export type UnitTable = {
  /** One more than the highest number in use. */
  size: number;
  live: number;
  /** Numbers below `size` that no unit has any more. */
  free: number[];
  /** One more than the highest number that was ever given, also where it came to nothing. */
  given: number;
  /** Its session, or `none` where no unit has this number. */
  session: Int32Array;
  previous: Int32Array;
  next: Int32Array;
  /** Words that say something, for the length of a text. */
  terms: Uint16Array;
  characters: Uint16Array;
  speaker: Uint16Array;
  speakers: string[];
  speakerNumbers: Map<string, number>;
  sessions: Map<number, Session>;
};

/** `terms`: of all its units. */
export type Session = { first: number; last: number; terms: number };

export type NewUnit = { id: number; session: number; terms: number; characters: number; speaker: string };

const mostCounted = 0xffff;
const firstSize = 1_024;

export function newUnitTable(): UnitTable {
  return {
    ...{ size: 0, live: 0, free: [], given: 1 },
    session: new Int32Array(firstSize).fill(none),
    previous: new Int32Array(firstSize).fill(none),
    next: new Int32Array(firstSize).fill(none),
    terms: new Uint16Array(firstSize),
    characters: new Uint16Array(firstSize),
    speaker: new Uint16Array(firstSize),
    speakers: [""],
    speakerNumbers: new Map([["", 0]]),
    sessions: new Map(),
  };
}

/** As the last of its session. */
export function addToTable(table: UnitTable, unit: NewUnit): void {
  const { id } = unit;
  if (id >= table.session.length) grow(table, id + 1);
  table.size = Math.max(table.size, id + 1);
  table.given = Math.max(table.given, table.size);
  table.live++;
  let session = table.sessions.get(unit.session);
  if (!session) {
    session = { first: id, last: none, terms: 0 };
    table.sessions.set(unit.session, session);
  }
  table.session[id] = unit.session;
  table.previous[id] = session.last;
  table.next[id] = none;
  if (session.last !== none) table.next[session.last] = id;
  session.last = id;
  session.terms += unit.terms;
  table.terms[id] = Math.min(mostCounted, unit.terms);
  table.characters[id] = Math.min(mostCounted, unit.characters);
  table.speaker[id] = numberOfSpeaker(table, unit.speaker);
}

export function removeFromTable(table: UnitTable, id: number): void {
  const key = at(table.session, id);
  const session = table.sessions.get(key);
  if (!session) return;
  const before = at(table.previous, id);
  const after = at(table.next, id);
  if (before === none) session.first = after;
  else table.next[before] = after;
  if (after === none) session.last = before;
  else table.previous[after] = before;
  session.terms -= at(table.terms, id);
  if (session.first === none) table.sessions.delete(key);
  table.session[id] = none;
  table.previous[id] = none;
  table.next[id] = none;
  table.live--;
  table.free.push(id);
}

/** For a unit that is about to be written; one that is never written leaves a hole until the index is loaded again. */
export function newNumber(table: UnitTable): number {
  return table.free.pop() ?? table.given++;
}

/** Once all units of a file are in it. */
export function findFreeNumbers(table: UnitTable): void {
  table.free = [];
  for (let id = table.size - 1; id >= 1; id--) if (at(table.session, id) === none) table.free.push(id);
}

/** Reads a column where the number is known to be in it. */
export function at(column: ArrayLike<number>, id: number): number {
  return column[id] ?? none;
}

// more are told apart by nobody, and the column has two bytes for each
const mostSpeakers = 60_000;

function numberOfSpeaker({ speakers, speakerNumbers }: UnitTable, speaker: string): number {
  const name = speaker.toLowerCase();
  const known = speakerNumbers.get(name);
  if (known !== undefined) return known;
  if (speakers.length >= mostSpeakers) return 0;
  speakerNumbers.set(name, speakers.length);
  return speakers.push(name) - 1;
}

function grow(table: UnitTable, least: number): void {
  const length = Math.max(least, Math.ceil(table.session.length * 1.5));
  for (const column of ["session", "previous", "next"] as const) {
    const longer = new Int32Array(length).fill(none);
    longer.set(table[column]);
    table[column] = longer;
  }
  for (const column of ["terms", "characters", "speaker"] as const) {
    const longer = new Uint16Array(length);
    longer.set(table[column]);
    table[column] = longer;
  }
}
