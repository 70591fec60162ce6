// Everything about something goes for good: the owner sees each line and message beforehand, and nothing else is taken.
import { z } from "zod";
import type { Event } from "../../contract/event.ts";
import { amountInWords } from "../../contract/memory/forgotten-words.ts";
import { isBackground } from "../../contract/task/task.ts";
import {
  type Asked,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  textResult,
} from "../../contract/tool.ts";
import type { Mention } from "../../contract/wire/methods/memory.ts";
import { openCalendar } from "../../contract/words/calendar.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { Forgetting } from "../memory.ts";
import { type Around, forgetQuestion, isSameVersions, type Listed, shownMentions } from "./forget-question.ts";

export type ForgetDeps = {
  forgetting: Forgetting;
  /** What has happened in a turn so far. */
  eventsOf(turn: string): Promise<readonly Event[]>;
  redact(text: string): string;
  timeZone: string;
};

const mostReasons = 5;
const Wish = z.object({ about: z.string().trim().min(2).max(200) });
type Wish = z.infer<typeof Wish>;

export function forgetTool(deps: ForgetDeps): Tool {
  return defineTool({
    name: "forget",
    description: "Forget all about something for good.",
    arguments: Wish,
    result: textResult,
    effects: ["destroys"],
    class: "idempotent",
    undo: { kind: "impossible", reason: "it is forgotten for good" },
    asksAlways: true,
    formatApproval: ({ about }) => `Forget everything about “${about}” for good`,
    async preview(asked, { about }) {
      const { mentions, staying, ...listed } = await mentionsOf(deps, asked, about);
      const mask = masked(deps);
      return forgetQuestion(aroundOf(deps, asked), about, {
        ...listed,
        ...{ mentions: mentions.map(mask), staying: staying.map(mask) },
      });
    },
    async idleBecause(asked, { about }) {
      const refused = whyNotTheirs(asked);
      if (refused !== undefined) return refused;
      const { mentions, earlierVersions, staying } = await mentionsOf(deps, asked, about);
      if (mentions.length + earlierVersions.length > 0) return undefined;
      if (staying.length === 0) return `Nothing about “${about}” is written down or was said before.`;
      const why = staying.slice(0, mostReasons).map(({ stays = "" }) => `- ${visibleLine(stays)}`);
      return [`Nothing about “${about}” can be taken out here:`, ...why].join("\n");
    },
    run: (context, args) => run(deps, context, args),
  });
}

async function run(deps: ForgetDeps, context: ToolContext, { about }: Wish): Promise<ToolResult> {
  const refused = whyNotTheirs(context);
  if (refused !== undefined) return { outcome: "failed", output: refused };
  const question = (await deps.eventsOf(context.turn)).findLast(
    (event) => event.type === "approval.asked" && event.callId === context.callId,
  );
  if (question?.type !== "approval.asked")
    return { outcome: "failed", output: "Nothing was forgotten: nobody has seen what would go. Call forget again." };
  const { mentions, earlierVersions } = await mentionsOf(deps, context, about);
  const isSame = isSameVersions(question.display, earlierVersions);
  const asking = { conversation: context.conversation, turn: context.turn };
  const before = mentions.filter(({ seq }) => seq === undefined || seq < question.seq);
  const listed = new Set(shownMentions(aroundOf(deps, context), question.display, before.map(masked(deps))).map(keyOf));
  const shown = mentions.filter((mention) => listed.has(keyOf(mention)));
  const { stayed, ...gone } = await deps.forgetting.forget(
    whoseOf(context),
    { about, ...toForget(shown), earlierVersions: isSame, asking },
    context.asker,
  );
  const rest = mentions.length - shown.length + (isSame ? 0 : earlierVersions.length);
  const words = [
    `Forgotten for good: ${amountInWords(gone)}.`,
    ...(rest === 0
      ? []
      : [`${rest} more came or changed since the question was put, and stay; ask again to see them.`]),
    "What was asked here just now goes, too, once this is answered.",
  ];
  return { outcome: "done", output: [words.join(" "), ...stayed].join("\n") };
}

function aroundOf({ timeZone }: ForgetDeps, { conversation, group }: Asked): Around {
  return { conversation, isGroup: group !== undefined, dayOf: openCalendar(timeZone) };
}

/** A group forgets what is its own; of the owner's nothing goes but by themselves. */
function whyNotTheirs({ asker, group, conversation = "" }: Asked): string | undefined {
  if (isBackground(conversation))
    return "Nothing is forgotten in a run that nobody sits before. Say in your answer what should go.";
  const isTheirs = asker?.kind === "owner" || (asker?.kind === "group" && group !== undefined);
  return isTheirs ? undefined : "Only the owner has something forgotten.";
}

/** The turn that asks is under way, and so stays out of it. */
async function mentionsOf(deps: ForgetDeps, asked: Asked, about: string): Promise<Listed> {
  const { mentions, ...further } = await deps.forgetting.mentions(whoseOf(asked), about);
  const events = asked.turn === undefined ? [] : await deps.eventsOf(asked.turn);
  const begun = events.find((event) => event.type === "turn.started");
  const taken = new Set(
    events.flatMap((event) => (event.type === "turn.started" || event.type === "turn.steered" ? event.messages : [])),
  );
  const isOfTurn = ({ sessionKey, seq = 0 }: Mention) =>
    sessionKey !== undefined && sessionKey === asked.conversation && (taken.has(seq) || seq > (begun?.seq ?? seq));
  const others = mentions.filter((mention) => !isOfTurn(mention));
  const isFixed = ({ stays }: Mention) => stays !== undefined;
  return { mentions: others.filter((mention) => !isFixed(mention)), staying: others.filter(isFixed), ...further };
}

function whoseOf({ group }: Asked) {
  return { group: group?.name };
}

const masked =
  ({ redact }: ForgetDeps) =>
  (mention: Mention): Mention => ({
    ...mention,
    text: redact(mention.text),
    ...(mention.stays !== undefined && { stays: redact(mention.stays) }),
  });

function keyOf({ path, line, sessionKey, seq }: Mention): string {
  return JSON.stringify([path, line, sessionKey, seq]);
}

function toForget(mentions: readonly Mention[]) {
  return {
    lines: mentions.flatMap(({ path, line, text }) =>
      path === undefined || line === undefined ? [] : [{ path, line, text }],
    ),
    messages: mentions.flatMap(({ sessionKey, seq }) =>
      sessionKey === undefined || seq === undefined ? [] : [{ sessionKey, seq }],
    ),
  };
}
