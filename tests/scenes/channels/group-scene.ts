// A chat of several people in which Steward answers, beside the owner's own chat and another group, both with something to hide.
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Group } from "../../../src/contract/channel/group.ts";
import type { ModelRequest } from "../../../src/contract/model.ts";
import type { OpenApproval } from "../../../src/contract/wire/method.ts";
import type { PlannedTask } from "../../../src/contract/wire/methods/tasks.ts";
import type { ScriptedAnswer } from "../scripted-model.ts";
import { bert, type ChatOptions, family, openChat } from "./chat-scene.ts";

export const household = "telegram--_2d_1000";
/** Another group, of which the first shall know nothing. */
export const work = -2_000;

export type Call = { tool: string; arguments: unknown };
type Says = Parameters<Awaited<ReturnType<typeof openChat>>["telegram"]["say"]>[2];

export type Turn = { calls?: readonly Call[]; text?: string; answer?: string; says?: Says; chat?: number };

export type GroupOptions = Omit<ChatOptions, "script"> & {
  /** What the owner has settled for it. */
  group?: Record<string, unknown>;
  /** False: it is no group yet. */
  registers?: boolean;
};

/** The chat `family` is the group household. Its model does what each turn is told to; `runs` is what runs of tasks do. */
export async function openGroupChat({ group = {}, registers = true, ...options }: GroupOptions = {}) {
  const plan: ScriptedAnswer[] = [];
  const runs: ScriptedAnswer[] = [];
  const isRun = (request: ModelRequest) => JSON.stringify(request.system).includes("Conversation: task--");
  const script = (request: ModelRequest) => (isRun(request) ? runs : plan).shift() ?? { text: "Done." };
  const chat = await openChat({ ...options, script });
  const open = async () =>
    ((await chat.call("approvals.list", {})) as { approvals: readonly OpenApproval[] }).approvals;
  const finished = async () => (await chat.events()).filter(({ type }) => type === "turn.finished").length;
  const register = async (at: number, name: string, settled: Record<string, unknown> = {}) =>
    (await chat.call("groups.register", {
      ...{ channel: "telegram", address: { chat: String(at) }, title: name, name, options: settled },
    })) as Group;
  if (registers) await register(family, "household", group);

  return {
    ...chat,
    ...{ open, register, begin, turn, answered, untilApproved, plan, runs },
    folder: (name = "household") => join(chat.home, "groups", name),
    change: (settled: Record<string, unknown>) => chat.call("groups.change", { group: "household", options: settled }),
    tasks: async () => ((await chat.call("tasks.list", { ended: true })) as { tasks: readonly PlannedTask[] }).tasks,
    /** What the tools have answered, newest last. */
    outputs: async () => (await chat.events()).flatMap((event) => (event.type === "tool.returned" ? [event] : [])),
    /** The whole of each request, the system text included. */
    asked: () => chat.model.requests.map(({ system, messages, tools }) => JSON.stringify([system, messages, tools])),
  };

  /** Somebody calls the assistant, which then does these calls and answers. */
  function begin({ calls = [], text = "@Andy do it", answer = "Done.", says, chat: at = family }: Turn): number {
    plan.push(...steps(calls), { text: answer });
    return chat.telegram.say(at, text, { from: bert, ...says });
  }

  async function turn(wanted: Turn): Promise<void> {
    const before = await finished();
    begin(wanted);
    await chat.until(async () => (await finished()) > before);
  }

  async function answered(wanted: Turn): Promise<void> {
    const before = await finished();
    begin(wanted);
    await untilApproved(async () => (await finished()) > before);
  }

  /** Until then the owner says yes to everything that the group asks for, without looking. */
  async function untilApproved(look: () => Promise<boolean>): Promise<void> {
    await chat.until(async () => {
      for (const { approvalId, display } of await open())
        if (display.includes("(asked for in the group")) await chat.call("exec.approve", { approvalId });
      return look();
    });
  }
}

/** One call a step, so that each begins when the one before it is done. */
export const steps = (calls: readonly Call[]): ScriptedAnswer[] => calls.map((call) => ({ text: "", calls: [call] }));

export type GroupChat = Awaited<ReturnType<typeof openGroupChat>>;

export async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** Every plain file below a folder with what it holds; links are named and not followed. */
export async function filesIn(folder: string, below = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(join(folder, below)).catch(() => [])) {
    const path = join(below, name);
    const entry = await lstat(join(folder, path)).catch(() => undefined);
    if (entry?.isDirectory()) Object.assign(found, await filesIn(folder, path));
    else if (entry?.isFile()) found[path] = await readFile(join(folder, path), "utf8").catch(() => "(unreadable)");
    else found[path] = "(no plain file)";
  }
  return found;
}
