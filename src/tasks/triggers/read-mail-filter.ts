import type { Trigger } from "../../contract/task/task.ts";

export type MailFilter = Omit<Extract<Trigger, { kind: "mail" }>, "kind">;

/** "from=boss@example.org subject=new invoice", either of them, an address alone, or nothing: any mail. Undefined: something else. */
export function readMailFilter(words: string): MailFilter | undefined {
  const [before = "", ...fields] = words.trim().split(/(?:^|\s+)(from|subject)=/i);
  if (/^[^\s=@]*@[^\s=@]+$/.test(before) && fields.length === 0) return { from: before };
  const filter: MailFilter = {};
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at]?.toLowerCase() === "from" ? "from" : "subject";
    const value = unquoted(fields[at + 1]?.trim() ?? "");
    if (value === "" || filter[name] !== undefined) return undefined;
    filter[name] = value;
  }
  return before === "" ? filter : undefined;
}

function unquoted(text: string): string {
  return /^["'“](.*)["'”]$/.exec(text)?.[1]?.trim() ?? text;
}
