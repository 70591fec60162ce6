import { stripVTControlCharacters } from "node:util";
import type { GatewayClient } from "../../contract/client.ts";
import { agoWords, durationWords } from "../amounts.ts";
import { openApprovals } from "../chat/chat-state.ts";
import { openChat } from "../chat/open-chat.ts";
import { tellWhatHappens } from "../chat/piped-chat.ts";
import { until, untilSettled } from "../chat/until-settled.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { paletteFor } from "../palette.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import { connectionDeps } from "./connection-deps.ts";
import { printJson, withClient } from "./with-client.ts";

export async function listApprovals(deps: CommandLineDeps, { json = false }: { json?: boolean }): Promise<number> {
  const result = await withClient(deps, (client) => client.call("approvals.list", {}));
  const { output, colors } = deps.console;
  if (json) {
    printJson(deps, result);
    return 0;
  }
  if (result.approvals.length === 0) output.write("Nothing waits for your approval.\n");
  const paint = paletteFor(colors);
  const nowMs = deps.world.nowMs();
  for (const approval of result.approvals) {
    const age = agoWords(approval.askedAtMs, nowMs);
    const left = durationWords(Math.max(0, approval.expiresAtMs - nowMs));
    output.write(
      `${paint.strong(approval.approvalId)}  ${visibleLine(approval.tool)} in ${visibleLine(approval.sessionKey)}\n`,
    );
    output.write(indented(approval.display) + indented(approval.reason));
    output.write(paint.faint(`  asked ${age}, counts as no in ${left}\n`));
  }
  if (result.approvals.length > 0) output.write("Answer with: steward approve ID, or steward deny ID “why not”\n");
  return 0;
}

// shown whole: what is allowed must be what was read
function indented(text: string): string {
  return visibleText(stripVTControlCharacters(text)).replace(/^/gm, "  ").concat("\n");
}

export async function approve(deps: CommandLineDeps, approvalId: string, always: boolean): Promise<number> {
  return answer(deps, approvalId, "Allowed", (call) => call("exec.approve", { approvalId, always }));
}

export async function deny(deps: CommandLineDeps, approvalId: string, reason: string): Promise<number> {
  const params = reason === "" ? { approvalId } : { approvalId, reason };
  return answer(deps, approvalId, "Denied", (call) => call("exec.deny", params));
}

async function answer(
  deps: CommandLineDeps,
  approvalId: string,
  verdict: string,
  give: (call: GatewayClient["call"]) => Promise<{ ok: boolean }>,
): Promise<number> {
  return withClient(deps, async (client) => {
    const { approvals } = await client.call("approvals.list", {});
    const asked = approvals.find((approval) => approval.approvalId === approvalId);
    const { mode } = await client.call("health.check", {});
    const say = (): void =>
      void deps.console.output.write(`${verdict}: ${visibleLine(asked?.display ?? approvalId)}\n`);
    if (mode === "daemon" || !asked) {
      await give(client.call);
      say();
      return 0;
    }
    // without a daemon the turn goes on inside this process, so its end is awaited and its answer shown
    const chat = await openChat({ ...connectionDeps(deps, 0), connect: async () => client }, asked.sessionKey);
    const known = chat.state();
    await give(client.call);
    say();
    const stopTelling = tellWhatHappens({ chat, console: deps.console }, known);
    await until(chat, () => openApprovals(chat.state()).every((open) => open.approvalId !== approvalId));
    await untilSettled(chat);
    stopTelling();
    await chat.close();
    return 0;
  });
}
