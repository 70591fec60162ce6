import type { PathUse, Reach, ToolEffect } from "../contract/tool.ts";
import { count } from "../contract/words/amounts.ts";
import {
  allow,
  askEachTime,
  type CommandJudgement,
  deny,
  type GuardDeps,
  type GuardedCall,
  type Judgement,
} from "./judgement.ts";
import { isNamedIn, isNamedPage } from "./named-destinations.ts";
import { lookAtPath } from "./shell/paths/seen-path.ts";
import { toldBits } from "./told-bits.ts";

export function judgeAsker({ tool, asker, inGroup }: GuardedCall): Judgement {
  if (asker.kind === "stranger") return deny("stranger", "Strangers may not use tools.");
  if (asker.kind !== "group" || onlyReads(tool.effects)) return allow;
  // what a group does to its own folder is for the mode that the owner has given it; everything else is asked about
  const staysInside = tool.effects.every((effect) => !["sends", "costs"].includes(effect));
  if (inGroup && staysInside) return allow;
  return askEachTime("group member", "Somebody other than the owner asked for this.");
}

export function judgePaths(deps: Pick<GuardDeps, "extraDirs">, { call, workspace }: GuardedCall): Judgement {
  const judged = call.paths.map((use) => judgePath(use, { workspace, ...deps.extraDirs }));
  const worst = judged.find(({ verdict }) => verdict === "deny") ?? judged.find(({ verdict }) => verdict === "ask");
  return worst ?? allow;
}

function judgePath({ path, access }: PathUse, reach: Reach): Judgement {
  const seen = lookAtPath(path, reach, access === "write");
  if (!seen) return deny("path", outsideWords(path, access, reach));
  if (seen.secret) return deny("secrets", `${path} holds secrets; only the owner opens it.`);
  if (access === "read") return allow;
  if (seen.obeyed) return askEachTime("protected path", `${path} changes what other programs run.`);
  // a line slipped into these would speak with the owner's voice from then on
  if (seen.steering) return askEachTime("steering files", `${path} shapes how the assistant behaves from now on.`);
  if (seen.hasTwin) return askEachTime("protected path", `${path} is another name of a file that is protected.`);
  return allow;
}

function outsideWords(path: string, access: PathUse["access"], { readDirs = [], writeDirs = [] }: Reach): string {
  const [setting, opened] = access === "read" ? ["readDirs", [...readDirs, ...writeDirs]] : ["writeDirs", writeDirs];
  const beside = opened.length > 0 ? ` and ${opened.join(", ")}` : "";
  return `${path} lies outside the workspace${beside}, or leads through a link that goes nowhere. The owner can open a folder by sandbox.${setting} in the settings.`;
}

export function judgeCommand(command: CommandJudgement | undefined): Judgement {
  return command ?? allow;
}

/** Untrusted text, private data and a way out do not come together without a person (prompt injection). */
export function judgeTaint(deps: GuardDeps, guarded: GuardedCall, command: CommandJudgement | undefined): Judgement {
  const { tool, call, workspace, inGroup } = guarded;
  // in a group its members speak, for whom it is; what they bring in from elsewhere counts as anywhere
  const labels = inGroup ? guarded.labels.filter((label) => !label.startsWith("person:")) : guarded.labels;
  if (labels.length === 0) return allow;
  const ask = (rule: string) => askEachTime(rule, holdsText(labels));
  if (tool.effects.some((effect) => effect === "sends" || effect === "costs"))
    return ask("untrusted text and a way out");
  if (tool.effects.includes("destroys") && command === undefined) return ask("untrusted text and a loss");
  // later nobody sits there, and the words would come back as if the owner had said them; unless they are theirs
  if (tool.effects.includes("plans") && !isOwnReminder(guarded)) return ask("untrusted text and later work");
  if (command && deps.commandsHaveNetwork) return ask("untrusted text and a command with network");
  // what a command writes nobody sees beforehand, and whoever reads it later takes it for the owner's
  const fromElsewhere = labels.some((label) => !isLocal(label));
  if (command && !command.readsOnly && fromElsewhere) return ask("untrusted text and a command that changes files");
  // a note is read into every later conversation, so it must not carry somebody else's words unseen
  const notes = call.paths.some(
    (use) => use.access === "write" && lookAtPath(use.path, { workspace, ...deps.extraDirs })?.note !== "no",
  );
  return notes ? ask("untrusted text into memory") : allow;
}

/** Nothing but words that the owner has written, as they stand. */
function isOwnReminder({ call, trustedText }: GuardedCall): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const own = plain(trustedText);
  return call.saysLater?.every((words) => own.includes(plain(words))) === true;
}

/** Words of a file or a program on this machine: nobody vouches for them, but the owner has let them in. */
function isLocal(label: string): boolean {
  return /^(?:file|command)(?::|$)/.test(label);
}

const mostNamed = 5;
const bitsOfLetter = 8;

function holdsText(labels: readonly string[]): string {
  const more = labels.length > mostNamed ? ` and ${labels.length - mostNamed} more` : "";
  const named = labels.slice(0, mostNamed).map(sourceWords).join(", ");
  return `The conversation holds text from ${named}${more}, which may have asked for this.`;
}

function sourceWords(label: string): string {
  if (label === "command") return "what a command printed";
  return label.replace(/^(?:web|file|upload):/, (kind) => `${kind === "web:" ? "" : `the ${kind.slice(0, -1)} `}`);
}

export function judgeDestinations(deps: GuardDeps, { call, trustedText }: GuardedCall): Judgement {
  const unknown = call.destinations.find(
    (destination) => !deps.settings.trustedDestinations.includes(destination) && !isNamedIn(trustedText, destination),
  );
  return unknown === undefined ? allow : notNamed(unknown);
}

function notNamed(destination: string): Judgement {
  return askEachTime("destination", `You have not named ${destination} in this conversation.`);
}

/**
 * Looking tells others something too: which address, which words, which of many links. While only the owner has spoken, a page
 * of a site they named is theirs; once untrusted text may choose, what is chosen is counted (covert channel).
 */
export function judgeTold({ settings }: GuardDeps, { call, labels, trustedText, told }: GuardedCall): Judgement {
  const tells = call.tells.filter((each) => each.kind !== "address" || !isTrusted(settings, each.url));
  if (tells.length === 0) return allow;
  if (labels.length === 0) {
    const unnamed = tells.find((each) => each.kind === "address" && !isNamedPage(trustedText, each.url));
    return unnamed?.kind === "address" ? notNamed(unnamed.url) : allow;
  }
  const { bits, isKnown } = toldBits(tells, trustedText, told);
  const { perTurn, perConversation } = settings.freeBits;
  if (isKnown && told.turn + bits <= perTurn && told.conversation + bits <= perConversation)
    return { verdict: "allow", bits };
  const letters = `about ${count(Math.ceil(bits / bitsOfLetter), "letter")} (${bits} bits)`;
  const why = isKnown
    ? `Which ones it picks, and when, can tell others something: this one up to ${letters}, and the free amount is used up`
    : `The assistant has put this together itself: it stands neither in your words nor on a page it has read. Whoever receives it could learn ${letters} of what the conversation knows`;
  const sum = `${perTurn} bits a turn are free (${told.turn} used) and ${perConversation} a conversation (${told.conversation} used)`;
  return askEachTime("untrusted text and an address", `${holdsText(labels)} ${why}; ${sum}.`);
}

function isTrusted({ trustedDestinations }: GuardDeps["settings"], url: string): boolean {
  return trustedDestinations.includes(url) || trustedDestinations.includes(URL.parse(url)?.origin ?? url);
}

/** What the owner has settled for this tool; a word of theirs can be stricter than every other rule, never laxer. */
export function judgePolicy(deps: GuardDeps, { tool }: GuardedCall): Judgement {
  const policy = deps.settings.tools[tool.name];
  if (policy === "deny") return deny("tool policy", `The setting guard.tools.${tool.name} is deny.`);
  if (policy === "ask") return askEachTime("tool policy", `The setting guard.tools.${tool.name} is ask.`);
  return allow;
}

export function judgeEffects(deps: GuardDeps, guarded: GuardedCall, command: CommandJudgement | undefined): Judgement {
  const { tool, call, workspace } = guarded;
  const { mode, tools } = deps.settings;
  if (command ? command.verdict === "allow" && command.readsOnly : onlyReads(tool.effects)) return allow;
  if (mode === "deny") return deny("mode deny", "The setting guard.mode is deny: only reading is allowed.");
  if (tools[tool.name] === "allow") return allow;
  // what it will do is judged when it does it; that somebody else plans it at all is for the owner to know
  if ((!guarded.inGroup || mode === "auto") && tool.effects.every((effect) => effect === "plans" || effect === "reads"))
    return allow;
  const inFiles = tool.effects.every((effect) => effect === "reads" || effect === "changes") && call.paths.length > 0;
  const onlyNotes =
    inFiles && call.paths.every((use) => lookAtPath(use.path, { workspace, ...deps.extraDirs })?.note === "yes");
  if (onlyNotes) return allow;
  const settled = command ? command.verdict === "allow" : inFiles;
  if (mode === "auto" && settled) return allow;
  const reason = `This ${wordsFor(tool.effects, command, call.paths.length > 0)}.`;
  return { verdict: "ask", rule: "effects", reason, ...(command?.runsUnnamed && { lasting: true }) };
}

/** Neither a mode nor a setting nor an earlier "always" speaks for the next call. */
export function judgeAlways({ tool }: GuardedCall): Judgement {
  return tool.asksAlways ? askEachTime("asks always", "This is asked about each time.") : allow;
}

function onlyReads(effects: readonly ToolEffect[]): boolean {
  return effects.every((effect) => effect === "reads");
}

function wordsFor(effects: readonly ToolEffect[], command: CommandJudgement | undefined, hasFiles: boolean): string {
  if (command) return "runs a command that may change files";
  const words = {
    reads: "",
    changes: hasFiles ? "changes files in the workspace" : "changes something",
    destroys: "destroys something",
    sends: "sends something out",
    costs: "costs money",
    plans: "lets Steward do something later",
  } as const;
  return effects
    .map((effect) => words[effect])
    .filter((word) => word !== "")
    .join(" and ");
}
