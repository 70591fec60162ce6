// What the owner and the model are told about protected names, one sentence or two for each thing that can happen.
import { reasonOf } from "../../../contract/failure.ts";
import type { Lost } from "./watch-thread.ts";

const mostNamed = 10;

export function lostNotice({ path, how }: Lost): string {
  const name = JSON.stringify(path);
  const ended = "the command was ended and its output from then on is not shown. Run it again";
  if (how === "came")
    return `${name} came into the workspace while the command ran; files with keys are the owner's alone, so ${ended}; if the command itself makes this file, leave that to the owner.`;
  const what = how === "replaced" ? `${name} was replaced` : "Protected files could no longer be watched";
  return `${what} while the command ran, which could have read or changed what was no longer kept from it: ${ended}.`;
}

export function asideNotice(path: string, to: string): string {
  return `${JSON.stringify(path)} was set aside: other programs run or obey it, or take keys from it, so only the owner puts it there. It now lies in ${to}; the owner can move it back.`;
}

export function touchedNotice(path: string, to: string): string {
  return `${JSON.stringify(path)} was saved while the command ran and changed again before the command was ended: it was set aside, since the command may have changed it. It now lies in ${to}; look at it and move it back.`;
}

export function unheardNotice(error: unknown): string {
  return `Whether the command changed protected files that were saved while it ran could not be found out (${reasonOf(error)}): look at them.`;
}

export function unsweptNotice(error: unknown): string {
  return `What the command has made could not be looked through: ${reasonOf(error)}`;
}

export function unnotedNotice(error: unknown): string {
  return `What is the owner's could not be noted (${reasonOf(error)}): had Steward been killed meanwhile, nobody would know what the command made.`;
}

export function failedNotice(path: string, error: unknown): string {
  return `${JSON.stringify(path)} should have been set aside, because other programs obey it, and could not be: ${reasonOf(error)}. Commands are off until it is removed.`;
}

export function stuckReason(workspace: string, path: string, reason: string): string {
  return `${JSON.stringify(path)} in ${workspace} came with a command and could not be set aside, although other programs obey it: ${reason}. Remove it; commands are off until then.`;
}

export function shortened(notices: readonly string[]): string[] {
  const more = notices.length - mostNamed;
  return more > 0 ? [...notices.slice(0, mostNamed), `${more} more were set aside.`] : [...notices];
}
