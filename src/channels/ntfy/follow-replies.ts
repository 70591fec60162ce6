// Listens to the reply topic for as long as it is let: one connection, line by line, until it ends, falls silent or is refused.
import type { ChannelBase } from "../../contract/channel/channel.ts";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import { type NtfyLine, readLine } from "./read-update.ts";
import { type NtfyServer, openAnswer, unreached } from "./server-call.ts";

// the server says every 45 seconds that it is there
const silenceMs = 100_000;
const longestLine = 100_000;

export type FollowDeps = {
  base: Pick<ChannelBase, "sleep">;
  server: NtfyServer;
  /** It is open: the server has said so itself. */
  onOpen(): void;
  /** If it rejects, the line comes again with the next connection. */
  onMessage(line: NtfyLine): Promise<void>;
};

/** Why it has ended, if it was not `signal`. */
export async function followReplies(
  deps: FollowDeps,
  { topic, since }: { topic: string; since: string },
  signal: AbortSignal,
): Promise<unknown> {
  const silence = watchForSilence(deps.base);
  const either = AbortSignal.any([signal, silence.signal]);
  try {
    const response = await openAnswer(deps.server, `${topic}/json?since=${since}`, { method: "GET" }, either);
    for await (const text of linesOf(response, silence.heard)) {
      if (either.aborted) break;
      deps.server.onAnswer();
      const line = readLine(text);
      if (line?.event === "open") deps.onOpen();
      if (line?.event === "message") await deps.onMessage(line);
    }
    return new Error(`${deps.server.host} has ended the connection.`);
  } catch (cause) {
    if (silence.signal.aborted) return new Error(`${deps.server.host} has said nothing for too long.`);
    return cause instanceof SendFailure || !isFromNetwork(cause) ? cause : unreached(deps.server, cause);
  } finally {
    silence.end();
  }
}

function isFromNetwork(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === "TypeError" || cause.name === "AbortError");
}

async function* linesOf(response: Response, heard: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    heard();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > longestLine) throw new Error("a line without an end");
    yield* lines;
  }
}

/** Its signal is aborted when nothing was heard for too long. */
function watchForSilence({ sleep }: FollowDeps["base"]) {
  const silent = new AbortController();
  let waiting = new AbortController();
  heard();
  return { signal: silent.signal, heard, end: () => waiting.abort() };

  function heard(): void {
    waiting.abort();
    const mine = new AbortController();
    waiting = mine;
    const rest = () => void (mine.signal.aborted || silent.abort());
    sleep(silenceMs, mine.signal).then(rest, rest);
  }
}
