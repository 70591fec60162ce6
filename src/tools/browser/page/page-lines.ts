// The accessibility tree of a page comes in, lines for the model go out: role, name, reference, state, value.
import { z } from "zod";
import { escapeLines } from "../../paths/escape-text.ts";

export type PageLine = {
  text: string;
  ref: string | undefined;
  /** What a person approves and what must still be there when it is acted on: `button "Buy"`. */
  identity: string;
  /** Something stands in a field that can be typed into. */
  hasValue: boolean;
  /** The address a link leads to: as the page wrote it, and whole in a snapshot. */
  link: string | undefined;
  /** The reference of the frame the line belongs to; undefined for the page itself. */
  frame: string | undefined;
};

const Node = z.object({
  role: z.string(),
  name: z.string().optional(),
  text: z.string().optional(),
  ref: z.string().optional(),
  url: z.string().optional(),
  placeholder: z.string().optional(),
  level: z.number().optional(),
  cursor: z.string().optional(),
  children: z.array(z.unknown()).optional(),
  checked: z.union([z.boolean(), z.string()]).optional(),
  pressed: z.union([z.boolean(), z.string()]).optional(),
  disabled: z.boolean().optional(),
  expanded: z.boolean().optional(),
  selected: z.boolean().optional(),
  active: z.boolean().optional(),
});
type Node = z.infer<typeof Node>;
type Waiting = { raw: unknown; depth: number; frame: string | undefined };

const longestName = 200;
const longestText = 2_000;
const longestUrl = 300;
export const mostLines = 20_000;
const deepestIndent = 12;
const roles = /^[a-z]{1,40}$/i;
const withValue = ["textbox", "searchbox", "combobox", "spinbutton", "slider"];
const states = ["checked", "pressed", "disabled", "expanded", "selected", "active"] as const;

/** `mask` hides what must not be shown; it is asked for every piece of text. */
export function pageLines(tree: unknown, mask: (text: string) => string): readonly PageLine[] {
  const lines: PageLine[] = [];
  const waiting: Waiting[] = toWaiting(Array.isArray(tree) ? tree : [tree], 0, undefined);
  // not by recursion: a page may nest as deep as it likes
  for (let next = waiting.pop(); next && lines.length < mostLines; next = waiting.pop()) {
    const { raw, depth, frame } = next;
    if (typeof raw === "string") {
      lines.push(plainLine(`text: ${tidy(mask(raw), longestText)}`, depth, frame));
      continue;
    }
    const node = Node.safeParse(raw);
    if (!node.success || !roles.test(node.data.role)) continue;
    const isBox = isPlainBox(node.data);
    if (!isBox) lines.push(elementLine(node.data, { depth, frame, mask }));
    const inner = node.data.role === "iframe" ? node.data.ref : frame;
    waiting.push(...toWaiting(node.data.children ?? [], isBox ? depth : depth + 1, inner));
  }
  return lines;
}

function toWaiting(children: readonly unknown[], depth: number, frame: string | undefined): Waiting[] {
  return children.map((raw) => ({ raw, depth, frame })).reverse();
}

// says nothing by itself: its content moves up
function isPlainBox(node: Node): boolean {
  return node.role === "generic" && !node.name && !node.text && node.cursor === undefined;
}

function elementLine(
  node: Node,
  at: { depth: number; frame: string | undefined; mask(text: string): string },
): PageLine {
  const hasValue = withValue.includes(node.role);
  const text = node.text && tidy(at.mask(node.text), longestText);
  const asName = !node.name && !hasValue && (text?.length ?? 0) <= longestName ? text : undefined;
  const name = tidy(at.mask(node.name ?? ""), longestName) || asName;
  const identity = name ? `${node.role} ${JSON.stringify(name)}` : node.role;
  const link = node.role === "link" ? node.url : undefined;
  const parts = [
    node.ref ? `${identity} [${node.ref}]` : identity,
    ...statesOf(node),
    ...(link ? [`→ ${tidy(link, longestUrl)}`] : []),
  ];
  const value = text && text !== name ? `: ${text}` : "";
  return {
    ...plainLine(parts.join(" ") + value, at.depth, at.frame),
    ref: node.ref,
    identity,
    hasValue: hasValue && text !== undefined,
    link,
  };
}

function statesOf(node: Node): string[] {
  const words: string[] = [];
  for (const state of states) {
    const value = node[state];
    if (value !== undefined) words.push(value === true ? state : `${state}=${tidy(String(value), 20)}`);
  }
  if (node.level !== undefined) words.push(`level=${node.level}`);
  if (node.placeholder) words.push(`placeholder=${JSON.stringify(tidy(node.placeholder, longestName))}`);
  return words.length > 0 ? [`(${words.join(", ")})`] : [];
}

function plainLine(text: string, depth: number, frame: string | undefined): PageLine {
  const indent = "  ".repeat(Math.min(depth, deepestIndent));
  return { text: indent + text, ref: undefined, identity: "", hasValue: false, link: undefined, frame };
}

// one line, however the page wrote it, and nothing in it that cannot be seen
function tidy(text: string, longest: number): string {
  const plain = escapeLines(text.replace(/\s+/gu, " ").trim());
  return plain.length > longest ? `${plain.slice(0, longest).toWellFormed()}…` : plain;
}

const shownInstead = "••••";
const shortest = 4;

/** Hides what was typed as a password wherever a page shows it again. */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret === "") continue;
    // a very short one would tear holes into every other word
    if (secret.length < shortest) masked = masked === secret ? shownInstead : masked;
    else for (const spelled of spellings(secret)) masked = masked.replaceAll(spelled, shownInstead);
  }
  return masked;
}

// a form may send it as a part of an address
function spellings(secret: string): Iterable<string> {
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return new Set([secret, encodeURIComponent(secret.toWellFormed()), inForm]);
}
