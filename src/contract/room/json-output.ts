// What every command that prints for programs has in common: one object on the output, and nothing else there.
import type { CommandConsole, CommandOption } from "./command.ts";

export const jsonOption: CommandOption = { form: "--json", description: "print JSON" };

/** What stands at the end of the command's help. */
export function jsonNotes(fields: string): string {
  return `With --json, one object: {${fields}}`;
}

export function printJson({ output }: Pick<CommandConsole, "output">, value: unknown): void {
  output.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
