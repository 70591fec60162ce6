import type { QuarantineField } from "../../contract/quarantine.ts";

const written = /^([A-Za-z][A-Za-z0-9_]{0,39}):(\S{1,400})\s+(\S[\s\S]{0,299})$/;

/** `total:number How much is it?`, `currency:EUR|USD Which one?` */
export function readField(text: string): QuarantineField | undefined {
  const [, name, kind, question] = written.exec(text.trim()) ?? [];
  if (name === undefined || kind === undefined || question === undefined) return undefined;
  if (kind === "number" || kind === "date" || kind === "boolean") return { name, kind, question };
  const [first, second, ...others] = kind.split("|").filter((choice) => choice !== "");
  if (first === undefined || second === undefined) return undefined;
  return { name, kind: "choice", choices: [first, second, ...others], question };
}
