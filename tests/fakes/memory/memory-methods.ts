// The gateway's methods about the memory on the page's own socket: every frame is read by the contract's schemas, everything else
// goes on to the real gateway. What is found and who else writes is set by the test.
import { createHash } from "node:crypto";
import type { BrowserContext, WebSocketRoute } from "playwright-core";
import type { MemoryFind } from "../../../src/contract/memory/memory-place.ts";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { Served } from "../../../src/contract/wire/methods/define-methods.ts";
import {
  type MemoryStatus,
  type Mention,
  memoryMethods,
  type Recall,
} from "../../../src/contract/wire/methods/memory.ts";
import { noteMethods } from "../../../src/contract/wire/methods/notes.ts";
import { shownGroup } from "../../scenes/page/shown-channel.ts";

const known = { ...memoryMethods, ...noteMethods };
type Change = MethodResult<"notes.history">["changes"][number];
type Note = { text: string; changedAtMs: number; changes: Change[] };
type Frame = { id?: string; method?: string; params?: Record<string, unknown> };
type Whose = { group?: string | undefined };

export type FakeMemory = {
  status: MemoryStatus;
  finds: MemoryFind[];
  /** Why a search may not have seen everything. */
  note: string | undefined;
  recalls: Recall[];
  mentions: Mention[];
  earlierVersions: number;
  stayed: string[];
  groups: { name: string; title: string }[];
  /** What was asked for, in this order. */
  asked: { method: string; params: Record<string, unknown> }[];
  /** A note as somebody writes it. */
  write(path: string, text: string, by?: Change["by"], whose?: Whose): void;
  /** A note that lay there before any change was written down. */
  lay(path: string, text: string): void;
  textOf(path: string, whose?: Whose): string | undefined;
  /** Every call of this method is refused with these words, until it is said undefined. */
  refuse(method: string, message: string | undefined): void;
};

export async function answerMemoryMethods(context: BrowserContext): Promise<FakeMemory> {
  const memory = openFakeMemory();
  const answers = answersOf(memory);
  await context.routeWebSocket(/\/ws$/, (page) => {
    const gateway = page.connectToServer();
    page.onMessage((text) => {
      const frame: Frame = JSON.parse(String(text));
      if (!answer(memory, answers, page, frame)) gateway.send(text);
    });
  });
  return memory;
}

const versionOf = (text: string): string => createHash("sha256").update(text).digest("hex");

type Inner = FakeMemory & {
  refusals: Map<string, string>;
  notes: Map<string, Note>;
  texts: Map<string, string>;
};

function openFakeMemory(): Inner {
  let lastAtMs = 0;
  const [refusals, notes, texts] = [new Map<string, string>(), new Map<string, Note>(), new Map<string, string>()];
  return {
    status: {
      ...{ enabled: true, state: "ready", units: 0, files: 0, conversations: 0, bytes: 0 },
      ...{ embedder: "builtin", withoutVector: 0 },
    },
    ...{ finds: [], note: undefined, recalls: [], mentions: [], earlierVersions: 0, stayed: [], groups: [], asked: [] },
    ...{ refusals, notes, texts },
    write(path, text, by = "assistant", whose = {}) {
      const note = notes.get(keyOf(path, whose));
      const [before, after] = [note ? versionOf(note.text) : null, versionOf(text)];
      texts.set(after, text);
      // no two at the same moment
      lastAtMs = Math.max(lastAtMs + 1, Date.now());
      const atMs = lastAtMs;
      const change = { atMs, by, before, after, ...(by === "assistant" && { sessionKey: "web--talk" }) };
      notes.set(keyOf(path, whose), { text, changedAtMs: atMs, changes: [change, ...(note?.changes ?? [])] });
    },
    lay(path, text) {
      texts.set(versionOf(text), text);
      notes.set(keyOf(path, {}), { text, changedAtMs: Date.now(), changes: [] });
    },
    textOf: (path, whose = {}) => notes.get(keyOf(path, whose))?.text,
    refuse(method, message) {
      if (message === undefined) refusals.delete(method);
      else refusals.set(method, message);
    },
  };
}

const keyOf = (path: string, { group = "" }: Whose): string => `${group}:${path}`;

type Answers = Served<typeof memoryMethods & typeof noteMethods>;

/** False: it is the real gateway's business. */
function answer(
  memory: Inner,
  answers: Answers,
  page: WebSocketRoute,
  { id, method = "", params = {} }: Frame,
): boolean {
  if (method === "groups.list" && memory.groups.length > 0) {
    const groups = memory.groups.map((group) => shownGroup(group));
    page.send(JSON.stringify({ id, result: { groups, seen: [] } }));
    return true;
  }
  if (!isKnown(method)) return false;
  memory.asked.push({ method, params });
  const refuse = (message: string, reason: string) =>
    page.send(JSON.stringify({ id, error: { code: -32000, message, data: { reason } } }));
  const refusal = memory.refusals.get(method);
  const read = known[method].params.safeParse(params);
  if (refusal !== undefined) refuse(refusal, "failed");
  else if (!read.success) refuse(`${method} does not take this: ${read.error.message}`, "invalid");
  else {
    // the schema of the same name has read them just before
    const act = answers[method] as unknown as (caller: undefined, params: unknown) => Promise<unknown>;
    act(undefined, read.data).then(
      (result) => page.send(JSON.stringify({ id, result: known[method].result.parse(result) })),
      (cause: unknown) =>
        cause instanceof Refused ? refuse(cause.message, cause.reason) : refuse(String(cause), "failed"),
    );
  }
  return true;
}

class Refused extends Error {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

function answersOf(memory: Inner): Answers {
  return { ...memoryAnswers(memory), ...noteAnswers(memory) };
}

function memoryAnswers(memory: Inner): Served<typeof memoryMethods> {
  return {
    "memory.search": async (_, { query, group }) => {
      const words = query.toLowerCase().split(/\s+/);
      const isOf = (find: MemoryFind) =>
        words.some((word) => find.text.toLowerCase().includes(word)) &&
        (find.path?.startsWith("group/") ?? false) === !!group;
      const note = memory.note;
      return { finds: memory.finds.filter(isOf), ms: 4.2, ...(note !== undefined && { note }) };
    },
    "memory.status": async () => memory.status,
    "memory.reindex": async () => memory.status,
    async "memory.recalled"(_, { beforeSeq = Number.MAX_SAFE_INTEGER, limit }) {
      const recalls = memory.recalls.filter(({ seq }) => seq < beforeSeq);
      return { recalls: recalls.slice(0, limit), more: recalls.length > limit };
    },
    "memory.mentions": async (_, { about }) => ({
      mentions: memory.mentions.filter(({ text }) => text.toLowerCase().includes(about.toLowerCase())),
      more: false,
      earlierVersions: memory.earlierVersions,
    }),
  };
}

function noteAnswers(memory: Inner): Served<typeof noteMethods> {
  const noteAt = (path: string, whose: Whose): Note => {
    const note = memory.notes.get(keyOf(path, whose));
    if (!note) throw new Refused("not_found", `There is no note ${path}.`);
    return note;
  };
  return {
    async "notes.list"(_, { group = "" }) {
      const own = [...memory.notes].filter(([key]) => key.startsWith(`${group}:`));
      return {
        files: own.map(([key, { text, changedAtMs }]) => ({
          ...{ path: key.slice(group.length + 1), bytes: Buffer.byteLength(text), changedAtMs },
        })),
      };
    },
    async "notes.read"(_, { path, version, ...whose }) {
      const text = version === undefined ? noteAt(path, whose).text : memory.texts.get(version);
      if (text === undefined) throw new Refused("not_found", "This version is not kept any more.");
      return { text, version: versionOf(text), isNote: !path.startsWith("/") };
    },
    async "notes.write"(_, { path, text, version, ...whose }) {
      const there = memory.notes.get(keyOf(path, whose));
      if ((there ? versionOf(there.text) : null) !== version)
        throw new Refused("conflict", `${path} was changed meanwhile.`);
      memory.write(path, text, "owner", whose);
      return { version: versionOf(text) };
    },
    "notes.history": async (_, { path, ...whose }) => ({ changes: noteAt(path, whose).changes }),
    async "memory.forget"(_, { lines, messages, earlierVersions: isOfThem }) {
      const gone = ({ path, line, sessionKey, seq }: Mention) =>
        lines.some((one) => one.path === path && one.line === line) ||
        messages.some((one) => one.sessionKey === sessionKey && one.seq === seq);
      memory.mentions = memory.mentions.filter((mention) => !gone(mention));
      const earlierVersions = isOfThem ? memory.earlierVersions : 0;
      memory.earlierVersions -= earlierVersions;
      const { stayed } = memory;
      return { lines: lines.length, messages: messages.length, earlierVersions, stayed };
    },
  };
}

function isKnown(method: string): method is keyof typeof known {
  return Object.hasOwn(known, method);
}
