import type { Event, EventOf, EventType } from "../../contract/event.ts";

/** What must hold in every log however often the process was killed; each sentence names what does not. */
export function findContradictions(events: readonly Event[]): readonly string[] {
  return [
    ...numbersHaveGaps(events),
    ...messagesTakenWrongly(events),
    ...turnsEndedWrongly(events),
    ...eventsAfterTheEnd(events),
    ...callsAnsweredWrongly(events),
  ];
}

function numbersHaveGaps(events: readonly Event[]): readonly string[] {
  return events.flatMap((event, index) => {
    const before = events[index - 1]?.seq ?? 0;
    return event.seq === before + 1 ? [] : [`the numbers between ${before} and ${event.seq} are missing`];
  });
}

function messagesTakenWrongly(events: readonly Event[]): readonly string[] {
  const received = new Set(of(events, "message.received").map((event) => event.seq));
  const taken = [...of(events, "turn.started"), ...of(events, "turn.steered")].flatMap((event) => event.messages);
  return [
    ...taken.filter((seq) => !received.has(seq)).map((seq) => `a turn takes message ${seq}, which was never received`),
    ...repeated(taken).map((seq) => `message ${seq} is taken twice`),
  ];
}

function turnsEndedWrongly(events: readonly Event[]): readonly string[] {
  const replies = Map.groupBy(of(events, "reply.written"), (event) => event.turn);
  const finished = of(events, "turn.finished").map((event) => event.turn);
  return [
    ...repeated(of(events, "turn.started").map((event) => event.turn)).map((turn) => `turn ${turn} starts twice`),
    ...repeated(finished).map((turn) => `turn ${turn} ends twice`),
    ...finished.flatMap((turn) => {
      const count = replies.get(turn)?.length ?? 0;
      return count === 1 ? [] : [`turn ${turn} ended with ${count} replies`];
    }),
  ];
}

function eventsAfterTheEnd(events: readonly Event[]): readonly string[] {
  const finishedAt = new Map(of(events, "turn.finished").map((event) => [event.turn, event.seq]));
  return events.flatMap((event) => {
    const end = "turn" in event && event.turn ? finishedAt.get(event.turn) : undefined;
    const late = end !== undefined && event.seq > end && !isAfterwards(event.type);
    return late ? [`${event.type} ${event.seq} belongs to a turn that was over at ${end}`] : [];
  });
}

function callsAnsweredWrongly(events: readonly Event[]): readonly string[] {
  const finished = new Set(of(events, "turn.finished").map((event) => event.turn));
  const returned = of(events, "tool.returned").map(callOf);
  const known = new Set(returned);
  const asked = of(events, "step.finished").flatMap((step) =>
    step.toolCalls.map(({ callId }) => ({ turn: step.turn, callId })),
  );
  return [
    ...repeated(returned).map((call) => `call ${call} returned twice`),
    ...asked
      .filter((call) => finished.has(call.turn) && !known.has(callOf(call)))
      .map((call) => `call ${callOf(call)} has no result although its turn is over`),
  ];
}

function callOf(call: { turn: string; callId: string }): string {
  return `${call.turn}/${call.callId}`;
}

function of<Type extends EventType>(events: readonly Event[], type: Type): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

function repeated<Value>(values: readonly Value[]): readonly Value[] {
  const seen = new Set<Value>();
  return values.filter((value) => {
    const again = seen.has(value);
    seen.add(value);
    return again;
  });
}

/** What is done with its words once they are written. */
function isAfterwards(type: string): boolean {
  return type === "reply.delivered" || type.startsWith("draft.");
}
