// A note as it stands now, or as it was once.
import type { GatewayLink } from "../../gateway/gateway-link.ts";
import { type Answered, load } from "../../settings/loading.ts";

/** `version` null: there is no such file yet. */
export type NoteText = { text: string; version: string | null };
export type NotePlace = { path: string; group: string | undefined };

export function readNote(
  link: Pick<GatewayLink, "call">,
  place: NotePlace,
  version?: string,
): Promise<Answered<{ text: string; version: string; isNote: boolean }>> {
  return load(() => link.call("notes.read", { ...wished(place), ...(version !== undefined && { version }) }));
}

/** The same for whoever wants to write it: a file that is not there is an empty one. */
export async function readToWrite(link: Pick<GatewayLink, "call">, place: NotePlace): Promise<Answered<NoteText>> {
  const read = await readNote(link, place);
  return read.state === "failed" && read.isMissing ? { state: "ready", value: { text: "", version: null } } : read;
}

/** As the methods take it, which know no group that is undefined. */
export function wished({ path, group }: NotePlace): { path: string; group?: string } {
  return { path, ...(group !== undefined && { group }) };
}

/** The other files are those that the owner writes for the assistant. */
export function isNotePath(path: string): boolean {
  return path === "MEMORY.md" || path === "USER.md" || path.startsWith("memory/");
}
