import { call, type Exchange, type Intent, type Step, say } from "../intent.ts";
import { sayFailed, tell, unquote } from "../wording.ts";
import { type FileSoFar, fileSoFar, insertAtEnd } from "./file-lines.ts";
import { readPath } from "./file-path.ts";

export const writingFiles: readonly Intent[] = [
  {
    task: "Creating a file",
    tools: ["read", "write"],
    example: "create a file ideas.md with: a tree house",
    patterns: [
      /^(?:create|make|start)\s+(?:(?:a|an|the)\s+)?(?:new\s+|empty\s+)*file\s+(?:(?:called|named)\s+)?(?<path>"[^"]+"|\S+?)(?:\s*:\s*|\s+(?:with|containing|saying|that says)(?:\s+the)?(?:\s+(?:text|contents?|words?))?(?:\s*:\s*|\s+))(?<content>\S.*)$/is,
      /^(?:create|make|start)\s+(?:(?:a|an|the)\s+)?(?:new\s+|empty\s+)*file\s+(?:(?:called|named)\s+)?(?<path>"[^"]+"|\S+)$/i,
    ],
    next: (words, done) => {
      const path = readPath(words.path, true);
      if (path === undefined) return undefined;
      const written = done.find((exchange) => exchange.tool === "write");
      if (written) return tell(written, () => `I have made ${path}.`);
      const file = fileSoFar(done);
      if (file.kind === "unread") return call("read", { path, limit: 1 });
      if (file.kind === "failed") return sayFailed(file.exchange);
      if (file.kind === "missing") return call("write", { path, content: unquote(words.content ?? "") });
      return say(`${path} is there already, so I left it alone. To replace it, say: write "…" to ${path}`);
    },
  },
  {
    task: "Writing a file",
    tools: ["write"],
    example: 'write "buy milk" to todo.txt',
    patterns: [
      /^(?:write|save|put|store)\s+(?<content>\S.*)\s+(?:to|into|in|as)\s+(?:(?:the|a|my)\s+)?(?:new\s+)?(?<file>file\s+)?(?:(?:called|named)\s+)?(?<path>"[^"]+"|\S+)$/is,
    ],
    next: (words, done) => {
      const path = readPath(words.path, words.file !== undefined);
      if (path === undefined) return undefined;
      const [written] = done;
      if (written) return tell(written, () => `I have written it to ${path}.`);
      return call("write", { path, content: unquote(words.content ?? "") });
    },
  },
  {
    task: "Adding to a file",
    tools: ["read", "edit", "write"],
    example: 'append "call the plumber" to todo.txt',
    patterns: [
      /^(?:append|add)\s+(?:(?:the|a)\s+(?:line|text)\s*:?\s+)?(?<content>\S.*)\s+to\s+(?:the\s+end\s+of\s+)?(?:(?:the|a|my)\s+)?(?<file>file\s+)?(?:(?:called|named)\s+)?(?<path>"[^"]+"|\S+)$/is,
    ],
    next: (words, done) => {
      const path = readPath(words.path, words.file !== undefined);
      if (path === undefined) return undefined;
      return appendStep(path, done, () => unquote(words.content ?? "")) ?? say(`I have added it to ${path}.`);
    },
  },
  {
    task: "Changing a file",
    tools: ["edit"],
    example: 'replace "milk" with "oat milk" in todo.txt',
    patterns: [
      /^(?:replace|change)\s+["“](?<old>[^"”]+)["”]\s+(?:with|by|to|into)\s+["“](?<new>[^"”]*)["”]\s+in\s+(?:(?:the|my)\s+)?(?<file>file\s+)?(?<path>"[^"]+"|\S+)$/is,
      /^(?:replace|change)\s+(?<old>\S.*?)\s+(?:with|by|to|into)\s+(?<new>\S.*)\s+in\s+(?:(?:the|my)\s+)?(?<file>file\s+)?(?<path>"[^"]+"|\S+)$/is,
    ],
    next: (words, done) => {
      const path = readPath(words.path, words.file !== undefined);
      if (path === undefined) return undefined;
      const [edited] = done;
      if (edited) return tell(edited, () => `I have changed ${path}.`);
      return call("edit", { path, edits: [{ oldText: unquote(words.old ?? ""), newText: unquote(words.new ?? "") }] });
    },
  },
];

/** Reads the file to its end and then adds to it, keeping what was there; undefined once that is done. */
export function appendStep(
  path: string,
  done: readonly Exchange[],
  addition: (lines: readonly string[]) => string,
): Step | undefined {
  const changed = done.find((exchange) => exchange.tool === "edit" || exchange.tool === "write");
  if (changed) return changed.failed ? sayFailed(changed) : undefined;
  const file = fileSoFar(done);
  if (file.kind !== "missing" && file.kind !== "whole") return readFurther(path, file);
  const edit = file.kind === "whole" ? insertAtEnd(file.lines, addition(file.lines)) : undefined;
  return edit ? call("edit", { path, edits: [edit] }) : call("write", { path, content: `${addition([])}\n` });
}

/** Reads what is missing of the file, or says why it cannot. */
export function readFurther(path: string, file: Extract<FileSoFar, { kind: "unread" | "partial" | "failed" }>): Step {
  if (file.kind === "failed") return sayFailed(file.exchange);
  return call("read", file.kind === "partial" ? { path, offset: file.nextLine } : { path });
}
