import { getSystemErrorName } from "node:util";
import type { ToolResult } from "../../contract/tool.ts";

/** One sentence for the model in place of what it asked for. */
export type Refusal = { refused: string; isMissing?: true };

/** What a tool comes to. */
export type Answer = ToolResult | Refusal;

/** What a tool hands back: a refusal is a result like any other. */
export function resultOf(answer: Answer): ToolResult {
  return "refused" in answer ? { outcome: "failed", output: answer.refused } : answer;
}

/** Runs work on the file system; what the system refuses becomes a sentence, what should never happen is thrown on. */
export async function orRefusal<T>(what: string, work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    return { refused: `${what}: ${reasons.get(code) ?? `the system answered ${code}.`}` };
  }
}

/** The system's name for a failed call, such as ENOENT; undefined for any other kind of error. */
export function errorCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !("errno" in cause) || typeof cause.errno !== "number") return undefined;
  return getSystemErrorName(cause.errno);
}

/** For `catch`: these answers of the system count as the given value; anything else is thrown on. */
export function orOn<Value>(codes: readonly string[], value: Value): (cause: unknown) => Value {
  return (cause) => {
    if (codes.includes(errorCode(cause) ?? "")) return value;
    throw cause;
  };
}

/** Undefined where there is no such name, or no longer. */
export function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(orOn(["ENOENT"], undefined));
}

/** True when the work made the name; false when something stands there already. */
export function unlessTaken(work: Promise<unknown>): Promise<boolean> {
  return work.then(() => true).catch(orOn(["EEXIST"], false));
}

const mostProblemsShown = 10;

/** The first of many sentences, one a line. */
export function listProblems(problems: readonly string[]): string {
  const rest = problems.length > mostProblemsShown ? [`… and ${problems.length - mostProblemsShown} more.`] : [];
  return [...problems.slice(0, mostProblemsShown), ...rest].join("\n");
}

const reasons = new Map([
  ["ENOENT", "it does not exist. Check the path."],
  ["EACCES", "permission denied. Ask the owner to change its permissions."],
  ["EPERM", "permission denied. Ask the owner to change its permissions."],
  ["ENOSPC", "the disk is full. Free some space and try again."],
  ["EDQUOT", "the disk quota is used up. Free some space and try again."],
  ["EFBIG", "it would be larger than the system allows. Write less, or in several files."],
  ["EROFS", "the file system is read-only. Choose another folder."],
  ["EIO", "the disk reported an error. Try again, and tell the owner if it stays."],
  ["ENAMETOOLONG", "the name is too long. Choose a shorter one."],
  ["EMFILE", "too many files are open. Try again in a moment."],
  ["ENFILE", "too many files are open. Try again in a moment."],
  ["ENOTDIR", "a part of the path is not a folder. Use list to see what is there."],
  ["EISDIR", "it is a folder. Use list to see what is in it."],
  ["ELOOP", "it is a symbolic link, and links are not followed. Use the path of the real file."],
]);
