// Who and what is there in the workspace of the fake Slack.
export type SlackMessage = Record<string, unknown> & { ts: string; text: string };
export type FakeFile = { id: string; name: string; data: Buffer; mimetype: string; isUploaded: boolean };

export type Workspace = {
  origin: string;
  channels: Map<string, { messages: SlackMessage[] } & Record<string, unknown>>;
  users: Map<string, Record<string, unknown>>;
  files: Map<string, FakeFile>;
  reactions: string[];
  /** Slack may begin a history that is asked for by `oldest` alone at either end. */
  history: { beginsWithOldest: boolean };
  nextTs(): string;
  /** The name of the next file. */
  nextId(prefix: string): string;
  socketUrl(): string;
};

export function newWorkspace(origin: string, socketUrl: () => string): Workspace {
  const beganSeconds = Math.floor(Date.now() / 1000);
  let count = 0;
  const person = (id: string, name: string) =>
    [id, { id, name: name.toLowerCase(), profile: { display_name: name } }] as const;
  const place = (id: string, about: Record<string, unknown>) =>
    [id, { id, ...about, messages: [] as SlackMessage[] }] as const;
  return {
    ...{ origin, socketUrl },
    users: new Map([person("UADA", "Ada"), person("UBEN", "Ben"), person("UBOT", "steward")]),
    channels: new Map<string, { messages: SlackMessage[] } & Record<string, unknown>>([
      place("D1", { is_im: true, user: "UADA" }),
      place("D2", { is_im: true, user: "UBEN" }),
      place("C1", { name: "general" }),
      place("C2", { name: "random" }),
      place("G1", { name: "mpdm-ada--ben--steward-1", is_mpim: true }),
    ]),
    files: new Map(),
    reactions: [],
    history: { beginsWithOldest: false },
    nextTs: () => `${beganSeconds}.${String(++count).padStart(6, "0")}`,
    nextId: (prefix) => `${prefix}${String(++count).padStart(6, "0")}`,
  };
}
