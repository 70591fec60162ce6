import { call, type Intent } from "../intent.ts";
import { fenced, isQuoted, tell, unquote } from "../wording.ts";

// "run me through it" is no command
const notPrograms = /^(?:me|my|a|an|the|this|that|it|your|our|to|for|through|away|out|into|over|some|errands?)\b/i;

export const commands: readonly Intent[] = [
  {
    task: "Running a command",
    tools: ["bash"],
    example: "run the command uptime",
    patterns: [
      /^(?:run|execute|exec)\s+(?:(?:the|this|a)\s+)?(?:shell\s+|bash\s+)?(?<called>command)\s*:?\s+(?<command>\S.*)$/is,
      /^(?<called>\$)\s+(?<command>\S.*)$/s,
      /^(?:run|execute|exec):?\s+(?<command>\S.*)$/is,
    ],
    next: (words, done) => {
      const written = words.command ?? "";
      const command = unquote(written);
      const isSentence = notPrograms.test(command) || !/^[\w./~]/.test(command);
      if (words.called === undefined && !isQuoted(written) && isSentence) return undefined;
      const [ran] = done;
      if (!ran) return call("bash", { command });
      return tell(ran, (output) => (output.trim() === "" ? "Done; it printed nothing." : `Done:\n${fenced(output)}`));
    },
  },
];
