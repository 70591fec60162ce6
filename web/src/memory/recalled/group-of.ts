import type { MethodResult } from "../../../../src/contract/wire/method.ts";

type Groups = MethodResult<"groups.list">["groups"];

/** The group in whose chat, or in a thread of it, a conversation takes place. */
export function groupOf(sessionKey: string, groups: Groups): string | undefined {
  const isIts = (conversation: string) => sessionKey === conversation || sessionKey.startsWith(`${conversation}--`);
  return groups.find(({ conversation }) => isIts(conversation))?.name;
}
