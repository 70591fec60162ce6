// A command's call comes in; how its command ended goes out, also after Steward itself was killed in between.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Recovery, ToolResult } from "../../contract/tool.ts";
import { type Replay, type ReplayedCommand, replayCommand } from "../sandbox/record/replay-command.ts";
import type { SandboxLimits } from "../sandbox/sandbox.ts";

export type RecordedCall = { conversation: string; turn: string; callId: string };

const About = z.object({ conversation: z.string(), turn: z.string(), callId: z.string(), boot: z.string() });

/** What the log keeps of it: without a claim of ours there is no record to look for. */
const Claim = z.object({ recorded: z.literal(true) });

export type CallRecords = {
  /** Makes the place for a call's record, before the call is on disk as sent. */
  claim(call: RecordedCall): z.infer<typeof Claim> | undefined;
  placeOf(call: RecordedCall): string;
  replay(call: RecordedCall, limits: Pick<SandboxLimits, "outputBytes">): Promise<Replay>;
  /** Called when it is on disk how the command ended. */
  remove(call: RecordedCall): Promise<void>;
  /** Removes the records of calls of which nobody will ask any more. */
  removeOthers(isNeeded: (call: RecordedCall) => Promise<boolean>): Promise<void>;
  /** Removes the records of calls that a conversation made up to that time. */
  forget(conversation: string, throughMs: number): Promise<void>;
};

const bootFile = "/proc/sys/kernel/random/boot_id";

/** The folder lies where no command can reach it; the records of waiting boxes lie there too. */
export function openCallRecords(folder: string, hasRecords: () => boolean): CallRecords {
  // records are in the hands of the system, not of the disk: after a power failure they prove nothing
  const boot = existsSync(bootFile) ? readFileSync(bootFile, "utf8").trim() : "";
  return { claim, placeOf, replay, remove, removeOthers, forget };

  function claim(call: RecordedCall): z.infer<typeof Claim> | undefined {
    if (!hasRecords() || boot === "") return undefined;
    const place = placeOf(call);
    try {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place, { recursive: true, mode: 0o700 });
      writeFileSync(join(place, aboutName), JSON.stringify({ ...call, boot }), { mode: 0o600 });
      return { recorded: true };
    } catch {
      // a full disk: the command runs all the same, and after a crash its outcome is unknown
      return undefined;
    }
  }

  function placeOf({ turn, callId }: RecordedCall): string {
    return join(
      folder,
      `call-${createHash("sha256")
        .update(JSON.stringify([turn, callId]))
        .digest("hex")
        .slice(0, 32)}`,
    );
  }

  async function replay(call: RecordedCall, limits: Pick<SandboxLimits, "outputBytes">): Promise<Replay> {
    const place = placeOf(call);
    return readAbout(place)?.boot === boot ? replayCommand(place, limits) : { kind: "missing" };
  }

  async function remove(call: RecordedCall): Promise<void> {
    await rm(placeOf(call), { recursive: true, force: true });
  }

  async function removeOthers(isNeeded: (call: RecordedCall) => Promise<boolean>): Promise<void> {
    for (const place of places()) {
      const about = readAbout(place);
      if (!about || !(await isNeeded(about))) await rm(place, { recursive: true, force: true });
    }
  }

  async function forget(conversation: string, throughMs: number): Promise<void> {
    for (const place of places()) {
      if (readAbout(place)?.conversation !== conversation) continue;
      // the key may be in use again
      const claimedMs = statSync(join(place, aboutName), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (claimedMs <= throughMs) await rm(place, { recursive: true, force: true });
    }
  }

  function places(): readonly string[] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.startsWith("call-"))
      .map((name) => join(folder, name));
  }
}

const aboutName = "call.json";

function readAbout(place: string): z.infer<typeof About> | undefined {
  try {
    return About.parse(JSON.parse(readFileSync(join(place, aboutName), "utf8")));
  } catch {
    // never made, or cut off while it was written: no record that could be trusted
    return undefined;
  }
}

/** What became of a call that was cut off; `answer` says of a command what the call itself would have said. */
export async function recoverCall(
  records: CallRecords,
  { call, claim, limits }: { call: RecordedCall; claim: unknown; limits: Pick<SandboxLimits, "outputBytes"> },
  answer: (command: ReplayedCommand) => Promise<ToolResult>,
): Promise<Recovery> {
  if (!Claim.safeParse(claim).success) return { kind: "unknown" };
  const replayed = await records.replay(call, limits);
  switch (replayed.kind) {
    case "missing":
      return { kind: "unknown" };
    case "not begun":
      return { kind: "not started" };
    case "cut off":
      return { kind: "unknown", soFar: await answer(replayed.command) };
    case "ended":
      return { kind: "finished", result: await answer(replayed.command) };
    default:
      return replayed satisfies never;
  }
}
