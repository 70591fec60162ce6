import type { EventOf } from "../../../../src/contract/event.ts";
import { formatDuration } from "../../../../src/contract/words/amounts.ts";
import { changedPaths } from "../../../../src/contract/words/changed-files.ts";
import { visibleLine } from "../../../../src/contract/words/visible-line.ts";
import { pagesRead, type ToolWords, toolWords } from "../../tool-words.ts";
import {
  type ActivityLine,
  assistant,
  type EventContext,
  originWords,
  outcomeNames,
  plural,
  whoIs,
} from "../activity-line.ts";

export function describeSent(event: EventOf<"tool.sent">, context: EventContext): ActivityLine {
  const words = toolWords(event.tool, context.argumentsOf(event.callId));
  return {
    icon: words.icon,
    who: assistant,
    sentence: `began to ${words.would}`,
    ...code(words),
    tone: "quiet",
  };
}

export function describeReturn(event: EventOf<"tool.returned">, context: EventContext): ActivityLine {
  const words = toolWords(event.tool, context.argumentsOf(event.callId));
  const took = event.durationMs === undefined ? [] : [formatDuration(event.durationMs)];
  const place = { icon: words.icon, who: assistant, ...code(words) };
  if (event.outcome === "done") {
    const files = changedPaths(event.changes).length;
    const changed = files > 0 ? [`changed ${plural(files, "file")}`] : [];
    const pages = [pagesRead(event.tool, event.output) ?? []].flat();
    return { ...place, sentence: words.did, ...joined([...changed, ...pages, ...took]), tone: "quiet" };
  }
  if (event.outcome === "denied")
    return {
      ...place,
      icon: "shield",
      sentence: `was not allowed to ${words.would}`,
      ...joined([firstWords(event.output)]),
      tone: "warning",
    };
  const tone = event.outcome === "stopped" ? "quiet" : event.outcome === "failed" ? "warning" : "error";
  return { ...place, sentence: `tried to ${words.would}`, ...joined([outcomeNames[event.outcome], ...took]), tone };
}

export function describeQuestion(event: EventOf<"approval.asked">): ActivityLine {
  const words = toolWords(event.tool, event.arguments);
  // what a person approves is the whole text, so its first line stands in for a subject that is not known
  const subject = words.subject ?? visibleLine(event.display, 160);
  return {
    icon: "shield",
    who: assistant,
    sentence: `asked you whether it may ${words.would}`,
    ...(subject !== "" && { subject: { text: subject, as: "code" } }),
    ...joined([originWords(event.labels)]),
    tone: "warning",
  };
}

type AnswerWords = Pick<ActivityLine, "icon" | "sentence" | "tone"> & { may: string };
const answers: Readonly<Record<EventOf<"approval.answered">["decision"], AnswerWords>> = {
  approved: { icon: "check", sentence: "said yes", may: "it may", tone: "good" },
  denied: { icon: "close", sentence: "said no", may: "it may not", tone: "quiet" },
  expired: { icon: "clock", sentence: "got no answer in time, which counts as no", may: "it may not", tone: "warning" },
  withdrawn: { icon: "close", sentence: "took its question back", may: "it wanted to", tone: "quiet" },
};

export function describeAnswer(event: EventOf<"approval.answered">, context: EventContext): ActivityLine {
  const question = context.questionOf(event.approvalId);
  const words = question && toolWords(question.tool, question.arguments);
  const { icon, tone, may, ...answer } = answers[event.decision];
  const sentence = event.grants === undefined ? answer.sentence : "said yes, now and always";
  const byPerson = event.decision === "approved" || event.decision === "denied";
  return {
    icon,
    tone,
    who: byPerson ? whoIs(event.by) : assistant,
    sentence: words ? `${sentence}: ${may} ${words.would}` : sentence,
    ...(words && code(words)),
    ...joined([event.reason]),
  };
}

export function describeUndo(event: EventOf<"changes.undone">): ActivityLine {
  return {
    icon: "undo",
    who: whoIs(event.by),
    sentence: "took back a change to files",
    ...joined([firstWords(event.output)]),
    tone: "good",
  };
}

function code(words: ToolWords): Pick<ActivityLine, "subject"> {
  return words.subject === undefined ? {} : { subject: { text: words.subject, as: "code" } };
}

function joined(parts: readonly (string | undefined)[]): Pick<ActivityLine, "detail"> {
  const detail = parts.filter((part) => part !== undefined && part !== "").join(" · ");
  return detail === "" ? {} : { detail };
}

function firstWords(output: string): string {
  return visibleLine(output, 200);
}
