import type { Group } from "../../contract/channel/group.ts";
import type { SeenChat } from "../../contract/wire/methods/channels.ts";

export function groupLine({ name, title, channel, options }: Group, assistantName: string): string {
  const call = options.needsTrigger ? `called by ${options.trigger ?? `@${assistantName}`}` : "answers everything";
  return `- ${title} (${channel}, folder ${name}): ${call}`;
}

/** By its number in the list, its whole title, or a part of it that fits no other; else a sentence that says what there is. */
export function findSeen(seen: readonly SeenChat[], wanted: string, hasGroups = false): SeenChat | string {
  const words = wanted.trim().toLowerCase();
  if (seen.length === 0)
    return `I have not been added to any ${hasGroups ? "other " : ""}group yet. Add my bot to the group, write a line there yourself, and try again.`;
  const byNumber = /^\d+$/.test(words) ? seen[Number(words) - 1] : undefined;
  const exact = seen.filter(({ title }) => title.toLowerCase() === words);
  const partly = words === "" ? [] : seen.filter(({ title }) => title.toLowerCase().includes(words));
  const [found, ...others] = byNumber ? [byNumber] : exact.length > 0 ? exact : partly;
  if (found && others.length === 0) return found;
  const listed = seen.map(({ title, channel }, at) => `${at + 1}. ${title} (${channel})`);
  return [
    found ? "Several fit. Choose one by its number:" : "I sit in these groups; choose one by name or number:",
    ...listed,
  ].join("\n");
}
