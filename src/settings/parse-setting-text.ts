import { isNullable, type SettingPlace, valueType } from "./setting-keys.ts";
import { describeAllowed, shorten } from "./setting-problems.ts";

export type ParsedSetting = { ok: true; value: unknown } | { ok: false; problem: string };

/** A value as a person writes it in a variable or on the command line: text as it is, everything else as JSON. */
export function parseSettingText({ path, schema }: SettingPlace, text: string): ParsedSetting {
  if (text === "null" && isNullable(schema)) return { ok: true, value: null };
  const type = valueType(schema);
  if (type === "string") return { ok: true, value: text };
  try {
    // numbers, true and false, lists and objects are all written as JSON writes them
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // not an error of ours: the sentence tells the owner what to write
    const json = type === "array" || type === "object" ? ", written as JSON" : "";
    const problem = `${path.join(".")} is ${shorten(JSON.stringify(text))}; it must be ${describeAllowed(schema)}${json}`;
    return { ok: false, problem };
  }
}
