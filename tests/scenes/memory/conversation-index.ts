/** What an index would hold that takes in all changes, by whose memory it is. */
async function indexOver(options: { atMs?: number; timeZone?: string } = {}) {
  let nowMs = options.atMs ?? Date.parse("2026-11-15T12:00:00Z");
  const store = await storeIn(await temporaryFolder(), { nowMs: () => nowMs });
  const deps = {
    ...{ database: store.database, log: store.log, agentName: "Steward", timeZone: options.timeZone ?? "UTC" },
    groupOf: async (key: string) => (await findGroup(store.database, key))?.name,
  };
  let source = openConversations(deps);
  type Held = {
    whose: string;
    conversation: string;
    day: string;
    speaker: string;
    seq: number;
    text: string;
    labels: readonly string[];
  };
  let held: Held[] = [];
  let through = 0;
  let anew = 0;
  return {
    store,
    add: (...events: NewEvent[]) => store.log.append(events),
    at: (atMs: number) => {
      nowMs = atMs;
    },
    /** Another process goes on with the same index. */
    reopen: () => {
      source = openConversations(deps);
    },
    anew: () => anew,
    subscribe: (onNews: () => void) => source.subscribe(onNews),
    async held(): Promise<readonly Held[]> {
      for (let next = await source.next(through); next; next = await source.next(through)) {
        through = next.through;
        for (const change of next.changes) {
          if (change.kind === "anew") held = [];
          if (change.kind === "anew") anew += 1;
          if (change.kind === "drop")
            held = held.filter((each) => each.conversation !== change.conversation || !change.seqs.includes(each.seq));
          if (change.kind === "remove")
            held = held.filter(
              ({ conversation: key, seq }) => key !== change.conversation || seq < change.fromSeq || seq > change.toSeq,
            );
          if (change.kind === "add")
            held.push(
              ...change.units.map(({ text, speaker, labels, day, from }) => ({
                ...{ whose: change.group ?? "owner", conversation: change.conversation, text, speaker, labels, day },
                seq: from,
              })),
            );
        }
      }
      return held;
    },
    async texts(whose = "owner"): Promise<readonly string[]> {
      return (await this.held()).filter((each) => each.whose === whose).map(({ text }) => text);
    },
  };
}

