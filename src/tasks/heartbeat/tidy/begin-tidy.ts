// One look through the notes: left out at no cost while nothing in them is new, else a message that comes in by the front door.
import { tidyConversation, tidyTask } from "../../../contract/task/task.ts";
import { conversationState } from "../../../store/tables/conversations.ts";
import { fileTrust } from "../../../store/tables/trust.ts";
import { runsOf, type StoredRun } from "../../../store/tasks/tasks.ts";
import type { BeatDeps } from "../begin-beat.ts";
import { chooseBeatModel } from "../choose-model.ts";
import { proposalWords, refusedProposals } from "./earlier-proposals.ts";
import { isWorthALook, type NoteFile, readNoteFiles, stampOf } from "./note-files.ts";
import { notesData, tidyPrompt } from "./tidy-words.ts";

/** Why nothing was begun: a proposal waits, nothing is new, or nobody could look. */
export type Begun = "begun" | "busy" | "nothing new" | "no model";

const mostRuns = 20;
// of these nobody has looked at anything, and the next night tries again
const unseen: readonly (string | undefined)[] = ["unavailable", "failed", "budget"];

export async function beginTidy(deps: BeatDeps, dueAtMs: number): Promise<Begun> {
  const runs = await runsOf(deps.database, tidyTask, mostRuns);
  // of one file no two proposals wait
  if (runs[0] && runs[0].settled === undefined) return "busy";
  const files = await readNoteFiles(deps.workspace);
  const key = `notes as ${stampOf(files)}`;
  if (!isWorthALook(files) || lastLook(runs)?.runKey === key) return "nothing new";
  if (!(await configureModel(deps))) return "no model";
  const refused = (await refusedProposals(deps.log)).map(proposalWords);
  const { data, shown } = notesData(files, refused, deps.redact);
  const { accepted } = await deps.receive({
    ...{ conversation: tidyConversation, channel: "heartbeat", attachments: [], text: tidyPrompt, data },
    labels: await labelsOf(deps, shown),
    run: { task: tidyTask, cause: "heartbeat", dueAtMs, key },
    sender: { kind: "system", id: tidyTask },
    idempotencyKey: `tidy:${dueAtMs}`,
  });
  return accepted ? "begun" : "busy";
}

function lastLook(runs: readonly StoredRun[]): StoredRun | undefined {
  return runs.find(({ state, ending }) => state !== "failed" || !unseen.includes(ending));
}

/** Whose words stand in them. */
async function labelsOf({ database }: BeatDeps, files: readonly NoteFile[]): Promise<string[]> {
  const labels = new Set<string>();
  for (const { path } of files) {
    const trust = await fileTrust(database, path.normalize("NFC").toLowerCase());
    for (const label of trust?.labels ?? []) labels.add(label);
  }
  return [...labels];
}

/** False: there is no model that could look. */
async function configureModel({ models, settings, database, log }: BeatDeps): Promise<boolean> {
  const chosen = await chooseBeatModel(models, settings.heartbeat.model);
  if (chosen.kind === "none") return false;
  const state = await conversationState(database, tidyConversation);
  if (state?.thinking === "off" && (state.model ?? null) === chosen.name) return true;
  const named = { conversation: tidyConversation, title: "Nightly tidy" };
  await log.append([{ type: "conversation.configured", ...named, model: chosen.name, thinking: "off" }]);
  return true;
}
