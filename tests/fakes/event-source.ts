// Reads server-sent events by the rules of the standard, as a browser would.
export type ReceivedEvent = { id: string; event: string; data: unknown };

export type EventReader = {
  /** Everything received so far. */
  events: ReceivedEvent[];
  comments: number;
  /** The last id the server has given, also by a frame without data. */
  lastId(): string;
  until(done: (events: readonly ReceivedEvent[]) => boolean): Promise<void>;
  ended: Promise<void>;
  stop(): Promise<void>;
};

export function readEvents(response: Response): EventReader {
  const { body } = response;
  if (!body) throw new Error(`no events in an answer with status ${response.status}`);
  const reader = body.getReader();
  const events: ReceivedEvent[] = [];
  const waiters = new Set<() => void>();
  let lastId = "";
  const result: EventReader = {
    events,
    comments: 0,
    lastId: () => lastId,
    until: (done) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!done(events)) return;
          waiters.delete(look);
          resolve();
        };
        waiters.add(look);
        look();
        result.ended.then(
          () => (done(events) ? resolve() : reject(new Error(`ended after ${JSON.stringify(events.slice(-3))}`))),
          reject,
        );
      }),
    ended: readAll(),
    stop: () => reader.cancel(),
  };
  return result;

  async function readAll(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) take(block);
      for (const waiter of waiters) waiter();
    }
  }

  function take(block: string): void {
    const fields = block.split("\n").map((line) => /^([^:]*):? ?(.*)$/.exec(line) ?? []);
    const value = (name: string) => fields.findLast(([, field]) => field === name)?.[2];
    result.comments += fields.filter(([, field]) => field === "").length;
    lastId = value("id") ?? lastId;
    const data = value("data");
    if (data === undefined) return;
    events.push({ id: lastId, event: value("event") ?? "message", data: data === "[DONE]" ? data : JSON.parse(data) });
  }
}
