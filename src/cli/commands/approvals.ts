import { Failure } from "../../contract/failure.ts";
import { nearestName } from "../../contract/names/nearest-name.ts";
import type { Command, CommandContext } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import { formatAgo } from "../../contract/words/amounts.ts";
import { shortenQuestion, spellOut } from "../../contract/words/spell-out.ts";
import { timeLeft } from "../../contract/words/time-left.ts";
import { paletteFor } from "../palette.ts";
import { visibleLine } from "../visible-text.ts";
import { lookCommand } from "./look-commands.ts";
import { chatDeps } from "./session-option.ts";

export const approvalsCommand = lookCommand({
  name: "approvals",
  summary: "List what waits for your approval",
  fields: "approvals: [{approvalId, sessionKey, turn, tool, display, reason, askedAtMs, expiresAtMs}]",
  ask: (client) => client.call("approvals.list", {}),
  show({ approvals }, { console: { output, colors }, world }) {
    if (approvals.length === 0) return void output.write("Nothing waits for your approval.\n");
    const paint = paletteFor(colors);
    const nowMs = world.nowMs();
    for (const { approvalId, tool, sessionKey, display, reason, askedAtMs, expiresAtMs } of approvals) {
      const left = timeLeft(expiresAtMs, nowMs).text;
      output.write(`${paint.strong(approvalId)}  ${visibleLine(tool)} in ${visibleLine(sessionKey)}\n`);
      output.write(indented(display) + indented(reason));
      output.write(paint.faint(`  Asked ${formatAgo(askedAtMs, nowMs)}. ${left}.\n`));
    }
    output.write("Answer with: steward approve ID, or steward deny ID “why not”\n");
  },
});

// shown whole: what is allowed must be what was read
function indented(text: string): string {
  return spellOut(text).replace(/^/gm, "  ").concat("\n");
}

const idArgument = { form: "<id>", description: "as listed by: steward approvals" };
const notes = jsonNotes("approvalId, sessionKey, decision: approved or denied");

export const approveCommand: Command = {
  name: "approve",
  summary: "Allow what was asked",
  notes,
  arguments: [idArgument],
  options: [
    { form: "--always", description: "do not ask again about this exact call with these exact files" },
    jsonOption,
  ],
  run({ arguments: [approvalId = ""], flags }, context) {
    const params = { approvalId, always: flags.has("always") };
    return answer(context, { approvalId, decision: "approved", asJson: flags.has("json") }, (client) =>
      client.call("exec.approve", params),
    );
  },
};

export const denyCommand: Command = {
  name: "deny",
  summary: "Refuse what was asked",
  notes,
  arguments: [idArgument, { form: "[reason...]", description: "why not, in your own words" }],
  options: [jsonOption],
  run({ arguments: [approvalId = "", ...words], flags }, context) {
    const params = words.length === 0 ? { approvalId } : { approvalId, reason: words.join(" ") };
    return answer(context, { approvalId, decision: "denied", asJson: flags.has("json") }, (client) =>
      client.call("exec.deny", params),
    );
  },
};

type Answer = { approvalId: string; decision: "approved" | "denied"; asJson: boolean };

function answer(
  context: CommandContext,
  { approvalId, decision, asJson }: Answer,
  give: (client: GatewayClient) => Promise<unknown>,
): Promise<number> {
  return withClient(context, async (client) => {
    const { approvals } = await client.call("approvals.list", {});
    const asked = approvals.find((approval) => approval.approvalId === approvalId);
    if (!asked) throw new Failure(notOpen(approvalId, approvals));
    const { sessionKey } = asked;
    const verdict = decision === "approved" ? "Allowed" : "Denied";
    const { mode } = await client.call("health.check", {});
    const giveAndSay = async () => {
      await give(client);
      if (asJson) printJson(context.console, { approvalId, sessionKey, decision });
      else context.console.output.write(`${verdict}: ${shortenQuestion(asked.display, 500).text}\n`);
    };
    if (mode === "daemon") await giveAndSay();
    // what is said in the conversation is no part of the JSON
    else await followToTheEnd(context, client, { approvalId, sessionKey, quietly: asJson }, giveAndSay);
    return 0;
  });
}

function notOpen(approvalId: string, approvals: readonly OpenApproval[]): string {
  const ids = approvals.map((approval) => approval.approvalId);
  const meant = nearestName(approvalId, ids);
  const next =
    ids.length === 0 ? "Nothing waits now." : `${meant ? `Did you mean ${meant}? ` : ""}List them: steward approvals`;
  return `No question with the id “${visibleLine(approvalId, 60)}” waits for an answer. ${next}`;
}

/** Without a daemon the turn goes on inside this process, so its end is awaited and its answer shown. */
async function followToTheEnd(
  context: CommandContext,
  client: GatewayClient,
  { approvalId, sessionKey, quietly }: { approvalId: string; sessionKey: string; quietly: boolean },
  give: () => Promise<void>,
): Promise<void> {
  const { openApprovals } = await import("../chat/chat-state.ts");
  const { openChat } = await import("../chat/open-chat.ts");
  const { tellWhatHappens } = await import("../chat/plain/piped-chat.ts");
  const { until, untilSettled } = await import("../chat/until-settled.ts");
  const chat = await openChat({ ...chatDeps(context, 0), connect: async () => client }, sessionKey);
  const known = chat.state();
  await give();
  const stopTelling = quietly ? () => undefined : tellWhatHappens({ chat, console: context.console }, known);
  await until(chat, () => openApprovals(chat.state()).every((open) => open.approvalId !== approvalId));
  await untilSettled(chat);
  stopTelling();
  await chat.close();
}
