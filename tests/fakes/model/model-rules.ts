// The stand-alone server's mind: it obeys marks in the last user text, so that any test can steer it from outside.
import { cutIntoPieces, type FakeAnswer, type FakeRequest } from "./model-answer.ts";

const callMark = /TOOL:([\w.-]+):(\{[\s\S]*?\})END/g;
const slowMark = /SLOW:(\d+)/;

/** `TOOL:name:{json}END` asks for that call (several: side by side), `SLOW:n` spreads the answer over n ms, the rest is echoed. */
export function answerByRules(request: FakeRequest): FakeAnswer {
  const said = request.lastUserText;
  const slowMs = Number(slowMark.exec(said)?.[1] ?? 0);
  if (request.toolOutputs.length > 0) {
    return paced(`tools said: ${request.toolOutputs.map((output) => output.slice(0, 200)).join(" | ")}`, slowMs);
  }
  const calls = [...said.matchAll(callMark)].map(([, name = "", json = ""], at) => ({
    id: `call_${request.number}_${at}`,
    name,
    arguments: json,
  }));
  if (calls.length > 0) return { toolCalls: calls, ...(slowMs > 0 ? { delayMs: slowMs } : {}) };
  return paced(`echo: ${said}`, slowMs);
}

function paced(text: string, slowMs: number): FakeAnswer {
  if (slowMs === 0) return { text };
  const pieces = Math.max(2, Math.min(50, Math.ceil(slowMs / 20)));
  return { text, pieces, delayPerPieceMs: slowMs / cutIntoPieces(text, pieces).length };
}
